import type { ZoneClock } from "../../../../lib/zone-clock.ts";

/**
 * Local time is what a clock on the wall shows, without a time zone. Here it is one number, the
 * seconds since midnight on January 1, 1970 on that clock, so that rules need only arithmetic. A
 * day number is the number of days since that date.
 */
export const daySeconds = 24 * 60 * 60;

const dayMs = daySeconds * 1000;

type DateParts = { year: number; month: number; date: number };

export const dayNumber = (year: number, month: number, date: number): number =>
  Date.UTC(year, month - 1, date) / dayMs;

export function toDateParts(day: number): DateParts {
  const midnight = new Date(day * dayMs);
  return {
    year: midnight.getUTCFullYear(),
    month: midnight.getUTCMonth() + 1,
    date: midnight.getUTCDate(),
  };
}

/** Returns the day number of a date, or null if the date does not exist. */
export function existingDay(year: number, month: number, date: number): number | null {
  const day = dayNumber(year, month, date);
  const parts = toDateParts(day);
  return parts.month === month && parts.date === date ? day : null;
}

/** Returns the weekday of a day number; 0 is Monday. January 1, 1970 was a Thursday. */
export function weekdayOf(day: number): number {
  return (((day + 3) % 7) + 7) % 7;
}

/** `day` is YYYY-MM-DD, and `time` is HH:MM. */
export const localSeconds = (day: string, time: string) => Date.parse(`${day}T${time}:00Z`) / 1000;

export const toIsoDay = (day: number) => new Date(day * dayMs).toISOString().slice(0, 10);

export const fixedClock = (offset: number): ZoneClock => ({ offsetAt: () => offset });
export const utcClock = fixedClock(0);

export const toLocal = (utc: number, clock: ZoneClock) => utc + clock.offsetAt(utc);

/**
 * The instant when clocks show a local time. If clocks go back and show that time twice, the result
 * is the first of the two instants. A time that clocks skip is read as if they had not yet gone
 * forward (RFC 5545, 3.3.5).
 */
export function toInstant(local: number, clock: ZoneClock): number {
  const before = clock.offsetAt(local - daySeconds);
  const after = clock.offsetAt(local + daySeconds);
  if (before === after) return local - before;
  const isAfter =
    clock.offsetAt(local - before) !== before && clock.offsetAt(local - after) === after;
  return local - (isAfter ? after : before);
}

/** Whether clocks never show this local time because they skip it when they go forward. */
export function isSkipped(local: number, clock: ZoneClock): boolean {
  const before = clock.offsetAt(local - daySeconds);
  const after = clock.offsetAt(local + daySeconds);
  if (before === after) return false;
  return clock.offsetAt(local - before) !== before && clock.offsetAt(local - after) !== after;
}
