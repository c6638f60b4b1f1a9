import type { Quota } from "../../../app/lib/http/limits.server.ts";
import { createConcurrencyLimit, toVisitor } from "../../../app/lib/http/visitors.server.ts";

type Entry = {
  bytes: number;
  began: number;
  /**
   * The number of bytes that arrived up to `lastAt`. The longer ago a byte arrived, the less it
   * counts.
   */
  recent: number;
  lastAt: number;
  /** False if the body is complete, or was dropped already. */
  canDrop: boolean;
  drop(): void;
};

/**
 * The pace of a body is measured over this time. A body that began more recently counts as fast.
 */
const paceMs = 5_000;

/**
 * Limits the memory of request bodies that are arriving. A slow sender uses little memory, because
 * only bytes that have arrived count. When the memory is exhausted, the slowest body is dropped, so
 * that a reader's upload succeeds even while attackers send theirs very slowly.
 */
export function createIncomingBodies(
  limits: { bytes: Required<Quota>; bodies: Required<Quota> },
  now: () => number = () => performance.now(),
) {
  const slots = createConcurrencyLimit({ visitor: limits.bodies.visitor });
  const entries = new Set<Entry>();
  const bytesByNetwork = new Map<string, number>();
  let total = 0;

  const countRecent = ({ recent, lastAt }: Entry) => recent * Math.exp((lastAt - now()) / paceMs);
  const measurePace = (entry: Entry) =>
    now() - entry.began < paceMs ? Number.POSITIVE_INFINITY : countRecent(entry);

  /** Drops the slowest body that is slower than `pace`. Returns false if all are faster. */
  function dropSlowest(pace: number): boolean {
    let slowest: Entry | null = null;
    for (const entry of entries) {
      const isSlower =
        entry.canDrop && measurePace(entry) < (slowest ? measurePace(slowest) : pace);
      if (isSlower) slowest = entry;
    }
    if (!slowest) return false;
    slowest.canDrop = false;
    slowest.drop();
    return true;
  }

  return {
    /** Whether a visitor may send one more body at the same time. */
    hasRoomFor: slots.hasRoom,
    /**
     * Begins to receive a body. Returns null if too many bodies are arriving already. `drop` is
     * called when the body must free its memory.
     */
    begin(address: string, drop: () => void) {
      const releaseSlot = slots.takeSlot(address);
      if (!releaseSlot) return null;
      if (entries.size >= limits.bodies.all && !dropSlowest(Number.POSITIVE_INFINITY)) {
        releaseSlot();
        return null;
      }
      const { visitor: network } = toVisitor(address);
      const began = now();
      const entry = { bytes: 0, began, recent: 0, lastAt: began, canDrop: true, drop };
      entries.add(entry);
      const changeBytes = (bytes: number) => {
        entry.bytes += bytes;
        total += bytes;
        const held = (bytesByNetwork.get(network) ?? 0) + bytes;
        if (held === 0) bytesByNetwork.delete(network);
        else bytesByNetwork.set(network, held);
      };
      return {
        /** Counts bytes that are held in memory. Returns false if the limits do not allow them. */
        add(bytes: number): boolean {
          if ((bytesByNetwork.get(network) ?? 0) + bytes > limits.bytes.visitor) return false;
          while (total + bytes > limits.bytes.all)
            if (!dropSlowest(measurePace(entry))) return false;
          entry.recent = countRecent(entry) + bytes;
          entry.lastAt = now();
          changeBytes(bytes);
          return true;
        },
        release: (bytes: number) => changeBytes(-bytes),
        /** Marks the body as complete, so that it can no longer be dropped. */
        complete() {
          entry.canDrop = false;
        },
        /** Call this when nothing of the body is in memory any more. */
        end() {
          changeBytes(-entry.bytes);
          entries.delete(entry);
          releaseSlot();
        },
      };
    },
  };
}
