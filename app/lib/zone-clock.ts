/** The UTC offset of a time zone over time. All values are in seconds. */
export type ZoneClock = {
  /** How far clocks in the zone are ahead of UTC at an instant. */
  offsetAt(utc: number): number;
};

/** Enough for the city and the time zones of the calendar that is being read. */
const maxClocks = 100;
const clocks = new Map<string, ZoneClock>();

/** Returns the cached clock of a time zone. The time zone database must have the zone. */
export function clockOf(timeZone: string): ZoneClock {
  const known = clocks.get(timeZone);
  if (known) return known;
  if (clocks.size === maxClocks) clocks.clear();
  const clock = createClock(timeZone);
  clocks.set(timeZone, clock);
  return clock;
}

/**
 * Shorter than the time between any two changes of the same zone since 1900. The shortest such time
 * is a week minus an hour: clocks in Recife went forward on October 8, 2000 and back on October 15.
 */
const blockSeconds = 6 * 24 * 60 * 60;
/** About 160 years. Only dates that somebody else chose can need more blocks. */
const maxBlocks = 10_000;

/**
 * Intl takes several microseconds to compute an offset, and a page or a long series needs
 * thousands. So the offset is looked up once for the start of each block of six days. If the offset
 * changes within a block, a binary search finds the moment of the change, once per block.
 */
function createClock(timeZone: string): ZoneClock {
  // The Swedish locale formats dates and times as ISO 8601 does, except for the T between them.
  const format = new Intl.DateTimeFormat("sv-SE", {
    timeZone,
    dateStyle: "short",
    timeStyle: "medium",
  });
  const lookUp = (utc: number) =>
    Date.parse(`${format.format(utc * 1000).replace(" ", "T")}Z`) / 1000 - utc;
  const offsets = memoize((block) => lookUp(block * blockSeconds));
  const changeTimes = memoize((block) => {
    let before = block * blockSeconds;
    let after = before + blockSeconds;
    while (after - before > 1) {
      const middle = Math.floor((before + after) / 2);
      if (lookUp(middle) === offsets(block)) before = middle;
      else after = middle;
    }
    return after;
  });
  /** The result of the last call. Most calls are about the same block as the call before. */
  let lastRange = { from: 0, until: 0, offset: 0 };
  return {
    offsetAt(utc) {
      if (utc >= lastRange.from && utc < lastRange.until) return lastRange.offset;
      const block = Math.floor(utc / blockSeconds);
      const from = block * blockSeconds;
      const offset = offsets(block);
      const next = offsets(block + 1);
      if (offset === next) lastRange = { from, until: from + blockSeconds, offset };
      else if (utc < changeTimes(block)) lastRange = { from, until: changeTimes(block), offset };
      else lastRange = { from: changeTimes(block), until: from + blockSeconds, offset: next };
      return lastRange.offset;
    },
  };
}

function memoize(compute: (key: number) => number): (key: number) => number {
  const cache = new Map<number, number>();
  return (key) => {
    const value = cache.get(key);
    if (value !== undefined) return value;
    if (cache.size === maxBlocks) cache.clear();
    const computed = compute(key);
    cache.set(key, computed);
    return computed;
  };
}
