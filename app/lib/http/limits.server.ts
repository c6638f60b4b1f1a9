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
