import {
  createConcurrencyLimit,
  type Quota,
  toVisitor,
} from "../../../app/lib/http/limits.server.ts";

type ArrivingBody = {
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
 * The pace of a body is measured over this time. A body that began more recently counts as fast.
 */
const paceMs = 5_000;

/**
 * Limits the number and the memory of request bodies that are arriving. A slow sender uses little
 * memory, because only bytes that have arrived count. When there are too many, or the memory is
 * exhausted, the slowest body is dropped, so that a reader's upload succeeds even while attackers
 * send theirs very slowly.
 */
export function createIncomingBodies(
  limits: { bytes: Required<Quota>; bodies: Required<Quota> },
  now: () => number = () => performance.now(),
) {
  const slots = createConcurrencyLimit({ visitor: limits.bodies.visitor });
  /** The bodies that count towards the limit of all visitors. A dropped one does not. */
  const counted = new Set<ArrivingBody>();
  const bytesByVisitor = new Map<string, number>();
  let total = 0;

  const countRecent = ({ recent, lastAt }: ArrivingBody) =>
    recent * Math.exp((lastAt - now()) / paceMs);
  const measurePace = (body: ArrivingBody) =>
    now() - body.began < paceMs ? Number.POSITIVE_INFINITY : countRecent(body);

  /** Drops the slowest body that is slower than `pace`. Returns false if all are faster. */
  function dropSlowest(pace: number): boolean {
    let slowest: ArrivingBody | null = null;
    for (const body of counted) {
      const isSlower =
        !body.isComplete && measurePace(body) < (slowest ? measurePace(slowest) : pace);
      if (isSlower) slowest = body;
    }
    if (!slowest) return false;
    counted.delete(slowest);
    slowest.drop();
    return true;
  }

  return {
    /**
     * Begins to receive a body. `drop` is called when the body must free its memory. If too many
     * bodies are arriving already, returns whether the visitor or all visitors send them.
     */
    begin(ipAddress: string, drop: () => void) {
      const releaseSlot = slots.takeSlot(ipAddress);
      if (!releaseSlot) return "too-many-of-visitor";
      if (counted.size >= limits.bodies.all && !dropSlowest(Number.POSITIVE_INFINITY)) {
        releaseSlot();
        return "too-many-of-all";
      }
      const { visitor } = toVisitor(ipAddress);
      const began = now();
      const body = { bytes: 0, began, recent: 0, lastAt: began, isComplete: false, drop };
      counted.add(body);
      const changeBytes = (bytes: number) => {
        body.bytes += bytes;
        total += bytes;
        const held = (bytesByVisitor.get(visitor) ?? 0) + bytes;
        if (held === 0) bytesByVisitor.delete(visitor);
        else bytesByVisitor.set(visitor, held);
      };
      return {
        /** Counts bytes that are held in memory. Returns false if the limits do not allow them. */
        add(bytes: number): boolean {
          if ((bytesByVisitor.get(visitor) ?? 0) + bytes > limits.bytes.visitor) return false;
          while (total + bytes > limits.bytes.all)
            if (!dropSlowest(measurePace(body))) return false;
          body.recent = countRecent(body) + bytes;
          body.lastAt = now();
          changeBytes(bytes);
          return true;
        },
        release: (bytes: number) => changeBytes(-bytes),
        /** Marks the body as complete, so that it can no longer be dropped. */
        complete() {
          body.isComplete = true;
        },
        /** Call this when nothing of the body is in memory any more. */
        end() {
          changeBytes(-body.bytes);
          counted.delete(body);
          releaseSlot();
        },
      };
    },
  };
}
