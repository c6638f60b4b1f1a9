import { LRUCache } from "lru-cache";
import pLimit from "p-limit";
import { createInFlight } from "./in-flight.server.ts";

/**
 * Work that runs a few at a time. Those who come when too many wait already are turned away at
 * once.
 */
export function createBoundedQueue({ atOnce, maxWaiting }: { atOnce: number; maxWaiting: number }) {
  const limit = pLimit(atOnce);
  const isFull = () => limit.activeCount + limit.pendingCount >= atOnce + maxWaiting;

  return {
    isFull,
    /** Runs the work when it is its turn; null when too many wait. */
    run: async <T>(work: () => Promise<T>): Promise<{ value: T } | null> =>
      isFull() ? null : { value: await limit(work) },
  };
}

type CacheLimits = { cacheMs: number; maxEntries: number; maxBytes: number };

/**
 * Keeps answers for a short time, so that a question that many ask, or one asks many times, is
 * worked on once.
 */
export function createResultCache<T extends NonNullable<unknown>>(
  { cacheMs: keptMs, maxEntries, maxBytes }: CacheLimits,
  {
    now = () => performance.now(),
    sizeOf = (value) => JSON.stringify(value).length,
  }: { now?: () => number; sizeOf?: (value: T) => number } = {},
) {
  const kept = new LRUCache<string, T>({
    max: maxEntries,
    maxSize: maxBytes,
    sizeCalculation: (value, key) => key.length + sizeOf(value),
    ttl: keptMs,
    // Questions are what readers typed, so they do not stay longer than they are of use.
    ttlAutopurge: true,
    ttlResolution: 0,
    perf: { now },
  });
  const working = createInFlight<T | null>();
  let generation = 0;

  return {
    /**
     * The answer that is kept, or the one that `work` finds. Work that answers null is not kept.
     */
    get: async (key: string, work: () => Promise<T | null>): Promise<T | null> =>
      kept.get(key) ??
      working.share(key, async () => {
        const began = generation;
        const value = await work();
        // What was found before a change may be outdated.
        if (value !== null && began === generation) kept.set(key, value);
        return value;
      }),
    /** Something has changed, so all questions are worked on again. */
    forget(): void {
      generation += 1;
      kept.clear();
      working.detach();
    },
    size: () => ({ entries: kept.size, bytes: kept.calculatedSize }),
  };
}
