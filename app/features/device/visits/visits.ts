import { createDeviceValue, createMemoryValue, isTime } from "../../../lib/device/device-value.ts";

/** A visit ends after this time without activity on the site. */
export const visitGapMs = 30 * 60 * 1000;

/** Times in milliseconds since 1970. */
export type Visits = {
  /** The last activity of the current visit, or of the last one if it is over. */
  activeAt: number;
  /** When the previous visit ended. Null if there was none. */
  previousEnd: number | null;
};

/** What the device remembers. Null for a reader who has not been here before. */
export const storedVisits = createDeviceValue<Visits | null>("visits", null, (stored) => {
  const { activeAt, previousEnd } = Object(stored);
  if (!isTime(activeAt)) return null;
  return { activeAt, previousEnd: isTime(previousEnd) ? previousEnd : null };
});

/**
 * Lists mark what is newer than this time. Null on a first visit, and until the browser has read
 * the last visit.
 */
export const newSince = createMemoryValue<number | null>(null);

/** The reader does something on the site: continues the current visit, or begins a new one. */
export function continueVisit(visits: Visits | null, now: number): Visits {
  if (!visits) return { activeAt: now, previousEnd: null };
  const isOver = now - visits.activeAt > visitGapMs;
  return { activeAt: now, previousEnd: isOver ? visits.activeAt : visits.previousEnd };
}

/**
 * Two tabs share a visit: the tab with the later activity knows the current one. A stored time in
 * the future comes from a wrong clock, and would win until that time.
 */
export const mergeVisits = (
  own: Visits | null,
  stored: Visits | null,
  now: number,
): Visits | null =>
  own && (!stored || stored.activeAt > now || own.activeAt >= stored.activeAt) ? own : stored;

const dayMs = 24 * 60 * 60 * 1000;

/** Describes a past time on the reader's own clock, such as "yesterday 6:10 PM". */
export function describePastTime(time: number, now: number): string {
  const daysAgo = Math.round((startOfDay(now) - startOfDay(time)) / dayMs);
  const isThisYear = new Date(time).getFullYear() === new Date(now).getFullYear();
  // Each format is created when it is needed, because creating one takes a slow phone 30 ms.
  const format = (style: Intl.DateTimeFormatOptions) =>
    new Date(time).toLocaleString("en-US", style);
  if (daysAgo > 6)
    return format(isThisYear ? { month: "short", day: "numeric" } : { dateStyle: "medium" });
  const day = ["today", "yesterday"][daysAgo] ?? format({ weekday: "long" });
  return `${day} ${format({ hour: "numeric", minute: "2-digit" })}`;
}

const startOfDay = (time: number) => new Date(time).setHours(0, 0, 0, 0);
