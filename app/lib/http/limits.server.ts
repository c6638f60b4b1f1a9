import { hash, randomBytes } from "node:crypto";
import { isIP } from "node:net";

/** How many one visitor may have, and all visitors together. */
export type Quota = { visitor: number; all?: number };

export type Rate = {
  /** The number of requests that may come in a burst. */
  burst: number;
  /** The number of further requests per second after the burst. */
  perSecond: number;
  /**
   * The limit of all visitors together is this many times the limit of one visitor. It applies only
   * to visitors who have used more than a small share of their own limit, so that nobody can use it
   * up for everybody.
   */
  totalFactor?: number;
};

/**
 * One kind of what visitors may send. The code that counts takes its numbers and messages from
 * here, `./newsroom doctor --limits` prints them, and docs/operations.md contains them.
 */
export type Limit = {
  what: string;
  /** How often. Each node counts in memory. */
  rate?: Rate;
  /** How many at the same time. Each node counts in memory. */
  concurrent?: Quota;
  /** How many per hour of the clock. The database counts for all nodes. */
  perHour?: Quota;
  /** Other limits, in words. */
  also?: { visitor?: string; all?: string };
  /** What people read above the limit of one visitor, and above that of all, if it differs. */
  messages: { visitor: string; all?: string };
};

/** Describes a limit in words: the cells of its row. */
export function describeLimit({ what, rate, concurrent, perHour, also, messages }: Limit) {
  const format = (value: number) => value.toLocaleString("en-US");
  const listParts = (who: "visitor" | "all", factor = 0) => {
    const [slots = 0, forms = 0] = [concurrent?.[who], perHour?.[who]];
    const parts = [
      rate &&
        factor > 0 &&
        `a burst of ${format(rate.burst * factor)}, then ${format(rate.perSecond * factor)} per second`,
      slots > 0 && `${format(slots)} at a time`,
      forms > 0 && `${format(forms)} per hour`,
      also?.[who],
    ];
    return parts.filter(Boolean).join("; ");
  };
  return {
    what,
    visitor: listParts("visitor", 1),
    all: listParts("all", rate?.totalFactor),
    message: messages.all ? `${messages.visitor} / ${messages.all}` : messages.visitor,
  };
}

/**
 * What all limits count as one visitor. An IPv4 address is one visitor. An IPv6 connection can
 * usually choose any address of a /64, so the /64 is one visitor. Providers also assign whole /48
 * networks, so each /48 (the region) has a limit too, which is higher.
 */
type Visitor = { visitor: string; region: string | null };

/** A region may contain many households, so its limit is this many times the visitor's limit. */
const regionFactor = 8;

/**
 * Addresses that cannot be parsed come only from a badly configured proxy. They share one limit.
 */
const unknownVisitor: Visitor = { visitor: "unknown", region: null };

export function toVisitor(ipAddress: string): Visitor {
  const bare = withoutPort(ipAddress.trim());
  if (isIP(bare) === 4) return { visitor: bare, region: null };
  if (isIP(bare) !== 6) return unknownVisitor;
  const groups = parseGroups(bare);
  const [high = 0, low = 0] = groups.slice(6);
  // A socket that listens on both protocols writes an IPv4 address as ::ffff:1.2.3.4.
  if (groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff)
    return { visitor: [high >> 8, high & 255, low >> 8, low & 255].join("."), region: null };
  const prefix = (count: number) =>
    groups
      .slice(0, count)
      .map((group) => group.toString(16))
      .join(":");
  return { visitor: `${prefix(4)}::/64`, region: `${prefix(3)}::/48` };
}

/** Removes the port that some proxies add: 1.2.3.4:5678, [2001:db8::1]:5678. */
function withoutPort(ipAddress: string): string {
  const bracketed = /^\[([^\]]*)\](?::\d+)?$/.exec(ipAddress)?.[1];
  return bracketed ?? ipAddress.replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, "$1");
}

/** Parses a valid IPv6 address into its eight groups. The URL parser writes each as a number. */
function parseGroups(ipAddress: string): number[] {
  const { hostname } = new URL(`http://[${ipAddress.split("%", 1)[0]}]/`);
  const [before = [], after = []] = hostname
    .slice(1, -1)
    .split("::")
    .map((part) => part.split(":").flatMap((group) => (group ? Number.parseInt(group, 16) : [])));
  return [...before, ...Array<number>(8 - before.length - after.length).fill(0), ...after];
}

const processKey = randomBytes(16).toString("hex");

/** Counters store this hash instead of the IP address. The key is lost when the process ends. */
const hashForProcess = (whom: string) =>
  hash("sha256", `${processKey} ${whom}`, "base64url").slice(0, 22);

/**
 * Returns the visitor and the region for which a request is counted, each with the factor by which
 * the limit of one visitor is multiplied.
 */
export function listCounted(ipAddress: string): { whom: string; factor: number }[] {
  const { visitor, region } = toVisitor(ipAddress);
  const own = { whom: visitor, factor: 1 };
  return region === null ? [own] : [own, { whom: region, factor: regionFactor }];
}

const counterKeys = (ipAddress: string) =>
  listCounted(ipAddress).map(({ whom, factor }) => ({ key: hashForProcess(whom), factor }));

const allVisitors = "all visitors";

/** The share of a visitor's own burst up to which the limit for all visitors does not apply. */
const modestShare = 1 / 10;

const maxEntries = 20_000;
const cleanupIntervalMs = 60_000;

export type RateLimit = ReturnType<typeof createRateLimit>;

/**
 * Limits how often each visitor may do something. This is a token bucket, stored as one instant per
 * visitor: the time when the bucket is full again. The entry is deleted at that time. If requests
 * come from very many IP addresses, the entries that have been inactive for the longest time are
 * deleted first, so that memory is bounded.
 */
export function createRateLimit(
  { burst, perSecond, totalFactor }: Rate,
  now: () => number = () => performance.now(),
) {
  const fullAt = new Map<string, number>();
  const costMs = 1_000 / perSecond;
  let isCleanupScheduled = false;

  function deleteFull(): void {
    isCleanupScheduled = false;
    for (const [key, at] of fullAt) if (at <= now()) fullAt.delete(key);
    if (fullAt.size > 0) scheduleCleanup();
  }
  function scheduleCleanup(): void {
    if (isCleanupScheduled) return;
    isCleanupScheduled = true;
    setTimeout(deleteFull, cleanupIntervalMs).unref();
  }

  /**
   * Computes when the visitor's buckets would be full again after one more request, and how long
   * the visitor has to wait before that request.
   */
  function simulateRequest(ipAddress: string) {
    const time = now();
    const burstMs = burst * costMs;
    const count = ({ key, factor }: { key: string; factor: number }) => ({
      key,
      at: Math.max(time, fullAt.get(key) ?? 0) + costMs / factor,
    });
    const next = counterKeys(ipAddress).map(count);
    if (totalFactor !== undefined) {
      const total = count({ key: allVisitors, factor: totalFactor });
      const isModest = (next[0]?.at ?? 0) - time <= modestShare * burstMs;
      next.push(isModest ? { ...total, at: Math.min(total.at, time + burstMs) } : total);
    }
    return { next, waitMs: Math.max(...next.map(({ at }) => at - time)) - burstMs };
  }

  return {
    hasRoom: (ipAddress: string) => simulateRequest(ipAddress).waitMs <= 0,
    /**
     * Counts one request. Returns 0, or the number of seconds until the visitor may try again. A
     * refused request does not count.
     */
    countRequest(ipAddress: string): number {
      const { next, waitMs } = simulateRequest(ipAddress);
      if (waitMs > 0) return Math.ceil(waitMs / 1_000);
      for (const { key, at } of next) {
        fullAt.delete(key);
        fullAt.set(key, at);
      }
      for (const [key] of fullAt) {
        if (fullAt.size <= maxEntries) break;
        fullAt.delete(key);
      }
      scheduleCleanup();
      return 0;
    },
    get size() {
      return fullAt.size;
    },
  };
}

export function createConcurrencyLimit({ visitor, all }: Quota) {
  const held = new Map<string, number>();
  const total = all === undefined ? [] : [{ key: allVisitors, max: all }];
  const hasSlot = ({ key, max }: { key: string; max: number }) => (held.get(key) ?? 0) < max;
  const listCounts = (ipAddress: string) => [
    ...total,
    ...counterKeys(ipAddress).map(({ key, factor }) => ({ key, max: visitor * factor })),
  ];
  return {
    hasRoom: (ipAddress: string) => listCounts(ipAddress).every(hasSlot),
    isFull: () => !total.every(hasSlot),
    /**
     * Takes a slot and returns a function that releases it, which may be called more than once.
     * Null if there is no slot left. Work for all visitors has no IP address.
     */
    takeSlot(ipAddress: string | null): (() => void) | null {
      const counts = ipAddress === null ? total : listCounts(ipAddress);
      if (!counts.every(hasSlot)) return null;
      for (const { key } of counts) held.set(key, (held.get(key) ?? 0) + 1);
      let isHeld = true;
      return () => {
        if (!isHeld) return;
        isHeld = false;
        for (const { key } of counts) {
          const remaining = (held.get(key) ?? 1) - 1;
          if (remaining === 0) held.delete(key);
          else held.set(key, remaining);
        }
      };
    },
    get size() {
      return held.size;
    },
  };
}
