import { LRUCache } from "lru-cache";
import { createInFlight } from "./in-flight.server.ts";

type CacheLimits = { cacheMs: number; maxEntries: number; maxBytes: number };

/**
 * Caches results for a short time, so that a query that many readers send, or one reader sends many
 * times, runs only once.
 */
export function createResultCache<T extends NonNullable<unknown>>(
  { cacheMs, maxEntries, maxBytes }: CacheLimits,
  {
    now = () => performance.now(),
    sizeOf = (value) => JSON.stringify(value).length,
  }: { now?: () => number; sizeOf?: (value: T) => number } = {},
) {
  const cache = new LRUCache<string, T>({
    max: maxEntries,
    maxSize: maxBytes,
    sizeCalculation: (value, key) => key.length + sizeOf(value),
    ttl: cacheMs,
    // The keys contain text that readers typed, so they must not stay in memory after they expire.
    ttlAutopurge: true,
    ttlResolution: 0,
    perf: { now },
  });
  const inFlight = createInFlight<T | null>();
  let generation = 0;

  return {
    /** Returns the cached result, or runs `work`. A result of null is not cached. */
    get: async (key: string, work: () => Promise<T | null>): Promise<T | null> =>
      cache.get(key) ??
      inFlight.share(key, async () => {
        const startGeneration = generation;
        const value = await work();
        // A result that was computed before a change may be outdated.
        if (value !== null && startGeneration === generation) cache.set(key, value);
        return value;
      }),
    /** Drops all results, because the data has changed. */
    clear(): void {
      generation += 1;
      cache.clear();
      inFlight.detach();
    },
    size: () => ({ entries: cache.size, bytes: cache.calculatedSize }),
  };
}
