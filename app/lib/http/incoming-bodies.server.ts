import { createConcurrencyLimit, toVisitor } from "./visitors.server.ts";

type BodyLimits = {
  /** All bodies together may hold this much memory. */
  totalBytes: number;
  /**
   * One visitor's bodies together may hold this much: half, so that one visitor cannot use up the
   * memory.
   */
  bytesPerVisitor: number;
  /** The number of bodies that may arrive at the same time. */
  totalBodies: number;
  /** The same for one visitor. An office or a school shares one address. */
  bodiesPerVisitor: number;
};

export const defaultBodyLimits: BodyLimits = {
  totalBytes: 72 * 1024 * 1024,
  bytesPerVisitor: 36 * 1024 * 1024,
  totalBodies: 1_000,
  bodiesPerVisitor: 16,
};

/** A body on its way to us. */
type IncomingBody = {
  /** Counts bytes that are kept in memory; false when they may not be kept. */
  add(bytes: number): boolean;
  /** Counts bytes that are no longer in memory. */
  release(bytes: number): void;
  /** All of the body is here: nobody takes its memory away any more. */
  complete(): void;
  /** Nothing of the body is in memory. */
  end(): void;
};

type Entry = {
  bytes: number;
  began: number;
  /** Bytes of the last few seconds, as of `lastAt`. */
  recent: number;
  lastAt: number;
  isComplete: boolean;
  drop(): void;
};

/**
 * How fast a body arrives is judged by the last few seconds, and only when it had as long to show
 * it.
 */
const paceMs = 5_000;

/**
 * Bounds the memory of request bodies that are arriving. A slow sender holds little, because only
 * bytes that are here count. When the memory is used up, the body that arrives most slowly gives up
 * its place, so that a reader's upload gets through while others trickle.
 */
export function createIncomingBodies(
  limits: BodyLimits,
  now: () => number = () => performance.now(),
) {
  const places = createConcurrencyLimit(limits.bodiesPerVisitor);
  const entries = new Set<Entry>();
  const bytesOf = new Map<string, number>();
  let total = 0;

  const isNew = ({ began }: Entry) => now() - began < paceMs;
  const paceOf = (entry: Entry) =>
    isNew(entry)
      ? Number.POSITIVE_INFINITY
      : entry.recent * Math.exp((entry.lastAt - now()) / paceMs);

  /** Drops the slowest body that arrives more slowly than `pace`; false when there is none. */
  function dropSlowest(pace: number): boolean {
    let slowest: Entry | null = null;
    for (const entry of entries) {
      const isSlower = !entry.isComplete && paceOf(entry) < (slowest ? paceOf(slowest) : pace);
      if (isSlower) slowest = entry;
    }
    if (!slowest) return false;
    // Whatever happens to it from now on, it is not chosen again.
    slowest.isComplete = true;
    slowest.drop();
    return true;
  }

  return {
    /**
     * Begins to receive a body; null when too many are arriving already. `drop` is called when its
     * bytes have to go.
     */
    begin(address: string, drop: () => void): IncomingBody | null {
      const leave = places.take(address);
      if (!leave) return null;
      if (entries.size >= limits.totalBodies && !dropSlowest(Number.POSITIVE_INFINITY)) {
        leave();
        return null;
      }
      const { network } = toVisitor(address);
      const time = now();
      const entry: Entry = {
        bytes: 0,
        began: time,
        recent: 0,
        lastAt: time,
        isComplete: false,
        drop,
      };
      entries.add(entry);
      const change = (bytes: number) => {
        entry.bytes += bytes;
        total += bytes;
        const held = (bytesOf.get(network) ?? 0) + bytes;
        if (held === 0) bytesOf.delete(network);
        else bytesOf.set(network, held);
      };
      return {
        add(bytes) {
          if ((bytesOf.get(network) ?? 0) + bytes > limits.bytesPerVisitor) return false;
          while (total + bytes > limits.totalBytes) if (!dropSlowest(paceOf(entry))) return false;
          entry.recent = entry.recent * Math.exp((entry.lastAt - now()) / paceMs) + bytes;
          entry.lastAt = now();
          change(bytes);
          return true;
        },
        release: (bytes) => change(-bytes),
        complete() {
          entry.isComplete = true;
        },
        end() {
          change(-entry.bytes);
          entries.delete(entry);
          leave();
        },
      };
    },
    get bytes() {
      return total;
    },
  };
}
