import { createConcurrencyLimit, toVisitor } from "../../../app/lib/http/visitors.server.ts";

type BodyLimits = {
  /** The maximum memory for all bodies together. */
  totalBytes: number;
  /**
   * The maximum memory for all bodies of one visitor. By default, this is half of the total, so
   * that one visitor cannot exhaust the memory.
   */
  bytesPerVisitor: number;
  /** The maximum number of bodies that arrive at the same time. */
  totalBodies: number;
  /**
   * The same maximum for one visitor. Several are allowed, because an office or a school may share
   * one IP address.
   */
  bodiesPerVisitor: number;
};

export const defaultBodyLimits: BodyLimits = {
  totalBytes: 72 * 1024 * 1024,
  bytesPerVisitor: 36 * 1024 * 1024,
  totalBodies: 1_000,
  bodiesPerVisitor: 16,
};

/** A request body that is arriving. */
type IncomingBody = {
  /** Counts bytes that are held in memory. Returns false if the limits do not allow them. */
  add(bytes: number): boolean;
  /** Subtracts bytes that are no longer in memory. */
  release(bytes: number): void;
  /** Marks the body as complete, so that it can no longer be dropped. */
  complete(): void;
  /** Ends the count, because nothing of the body is in memory any more. */
  end(): void;
};

type Entry = {
  bytes: number;
  began: number;
  /**
   * The number of bytes that arrived up to `lastAt`. The longer ago a byte arrived, the less it
   * counts.
   */
  recent: number;
  lastAt: number;
  isComplete: boolean;
  drop(): void;
};

/**
 * The pace of a body is measured over this time. A body that began more recently has no pace yet.
 */
const paceMs = 5_000;

/**
 * Limits the memory of request bodies that are arriving. A slow sender uses little memory, because
 * only bytes that have arrived count. When the memory is exhausted, the slowest body is dropped, so
 * that a reader's upload succeeds even while attackers send theirs very slowly.
 */
export function createIncomingBodies(
  limits: BodyLimits,
  now: () => number = () => performance.now(),
) {
  const limit = createConcurrencyLimit(limits.bodiesPerVisitor);
  const entries = new Set<Entry>();
  const bytesByNetwork = new Map<string, number>();
  let total = 0;

  const isNew = ({ began }: Entry) => now() - began < paceMs;
  const measurePace = (entry: Entry) =>
    isNew(entry)
      ? Number.POSITIVE_INFINITY
      : entry.recent * Math.exp((entry.lastAt - now()) / paceMs);

  /** Drops the slowest body that is slower than `pace`. Returns false if all are faster. */
  function dropSlowest(pace: number): boolean {
    let slowest: Entry | null = null;
    for (const entry of entries) {
      const isSlower =
        !entry.isComplete && measurePace(entry) < (slowest ? measurePace(slowest) : pace);
      if (isSlower) slowest = entry;
    }
    if (!slowest) return false;
    // This mark prevents the body from being dropped a second time.
    slowest.isComplete = true;
    slowest.drop();
    return true;
  }

  return {
    /** Whether a visitor may send one more body at the same time. */
    hasRoomFor: limit.hasRoom,
    /**
     * Begins to receive a body. Returns null if too many bodies are arriving already. `drop` is
     * called when the body must free its memory.
     */
    begin(address: string, drop: () => void): IncomingBody | null {
      const releaseSlot = limit.take(address);
      if (!releaseSlot) return null;
      if (entries.size >= limits.totalBodies && !dropSlowest(Number.POSITIVE_INFINITY)) {
        releaseSlot();
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
      const changeBytes = (bytes: number) => {
        entry.bytes += bytes;
        total += bytes;
        const held = (bytesByNetwork.get(network) ?? 0) + bytes;
        if (held === 0) bytesByNetwork.delete(network);
        else bytesByNetwork.set(network, held);
      };
      return {
        add(bytes) {
          if ((bytesByNetwork.get(network) ?? 0) + bytes > limits.bytesPerVisitor) return false;
          while (total + bytes > limits.totalBytes)
            if (!dropSlowest(measurePace(entry))) return false;
          entry.recent = entry.recent * Math.exp((entry.lastAt - now()) / paceMs) + bytes;
          entry.lastAt = now();
          changeBytes(bytes);
          return true;
        },
        release: (bytes) => changeBytes(-bytes),
        complete() {
          entry.isComplete = true;
        },
        end() {
          changeBytes(-entry.bytes);
          entries.delete(entry);
          releaseSlot();
        },
      };
    },
    get bytes() {
      return total;
    },
  };
}
