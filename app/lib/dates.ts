import { clockOf } from "./zone-clock.ts";

export type Clock = () => Date;

const longDay = formatByZone({ dateStyle: "long" });

/**
 * Returns a function that creates the date format for a time zone and caches it. Creating a format
 * takes a hundred times as long as using it, and there are only a few hundred zones.
 */
export function formatByZone(style: Intl.DateTimeFormatOptions) {
  const formats = new Map<string, Intl.DateTimeFormat>();
  return (timeZone: string): Intl.DateTimeFormat => {
    const format =
      formats.get(timeZone) ?? new Intl.DateTimeFormat("en-US", { timeZone, ...style });
    formats.set(timeZone, format);
    return format;
  };
}

export function calendarDay(instant: Date, timeZone: string): string {
  return toLocalIso(instant, timeZone).slice(0, 10);
}

export function calendarYear(instant: Date, timeZone: string): number {
  return Number(calendarDay(instant, timeZone).slice(0, 4));
}

/** Formats a calendar day, which is the same everywhere, in long US format: April 14, 2025. */
export const longDate = (day: string): string => longDay("UTC").format(new Date(day));

const monthAndYear = formatByZone({ month: "long", year: "numeric" });

/** Formats a month such as 2026-11 in long US format: November 2026. */
export const longMonth = (month: string): string =>
  monthAndYear("UTC").format(new Date(`${month}-01`));

const hourAndMinute = formatByZone({ hour: "numeric", minute: "2-digit" });

/** Formats the time that clocks in a time zone show, in US format: 7:00 AM. */
export const clockTime = (instant: Date, timeZone: string): string =>
  hourAndMinute(timeZone).format(instant);

/** Parses an instant of this century in ISO format. Null for everything else that people send. */
export function readInstant(typed: string): Date | null {
  const isInstant = /^20\d\d-\d\d-\d\dT[\d:.]+Z$/.test(typed) && !Number.isNaN(Date.parse(typed));
  return isInstant ? new Date(typed) : null;
}

const dayAndTime = formatByZone({ dateStyle: "medium", timeStyle: "short" });

/** Formats an instant as clocks in a time zone show it: Nov 17, 2026, 1:23 PM. */
export const shortTimestamp = (instant: Date, timeZone: string): string =>
  dayAndTime(timeZone).format(instant);

export function addDays(day: string, days: number): string {
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() + days);
  return date.toISOString().slice(0, 10);
}

/** A date further away is a mistake, or means "no end". */
export const maxYearsAway = 20;

/** Whether a calendar day is at most 20 years before or after today. */
export function isNearDay(day: string, today: string): boolean {
  const shift = (years: number) => `${Number(today.slice(0, 4)) + years}${today.slice(4)}`;
  return day >= shift(-maxYearsAway) && day <= shift(maxYearsAway);
}

/**
 * Returns the instant at which clocks in a time zone show this day and time (HH:MM). A time that
 * the clocks skip in spring is as long after the change as it would have been: 2:30 becomes 3:30.
 */
export function instantAt(day: string, time: string, timeZone: string): Date {
  const asIfUtc = new Date(`${day}T${time}:00Z`);
  // The offset is computed twice, because it depends on the instant itself: on a day when the
  // clocks change, the first guess may be wrong.
  const guess = new Date(asIfUtc.getTime() - offsetMs(asIfUtc, timeZone));
  const instant = new Date(asIfUtc.getTime() - offsetMs(guess, timeZone));
  const isSkipped = offsetMs(instant, timeZone) !== offsetMs(guess, timeZone);
  return isSkipped && guess > instant ? guess : instant;
}

const localTime = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(?::\d{2}(?:\.\d+)?)?)?$/;

/** The offset or the name of a time zone at the end of a date. */
const zone = /(?:Z|UTC|GMT|[ECMP][SD]T|[+-]\d{2}:?\d{2})(?: \([^()]{1,40}\))?$/i;
const maxDateLength = 100;

/**
 * Returns the instant of a date as people write it. A day is its first minute, and a time without
 * an offset is local time in the given zone, wherever the server is.
 */
export function writtenInstant(written: string, timeZone: string): Date {
  const [, day, time = "00:00"] = localTime.exec(written) ?? [];
  if (day !== undefined) return instantAt(day, time, timeZone);
  const other = written.trim().slice(0, maxDateLength);
  if (zone.test(other)) return new Date(other);
  // A date in words without a zone, such as "November 15, 2026 9:00", is local time.
  const asIfUtc = new Date(`${other} UTC`);
  if (Number.isNaN(asIfUtc.getTime())) return asIfUtc;
  const [utcDay = "", utcTime = ""] = asIfUtc.toISOString().split("T");
  return instantAt(utcDay, utcTime.slice(0, 5), timeZone);
}

/** Formats an instant as local time with the offset from UTC: 2026-11-20T18:30:00-05:00. */
export function localTimestamp(instant: Date, timeZone: string): string {
  const minutes = Math.round(offsetMs(instant, timeZone) / 60_000);
  const formatPart = (value: number) => String(Math.floor(Math.abs(value))).padStart(2, "0");
  const offset = `${minutes < 0 ? "-" : "+"}${formatPart(minutes / 60)}:${formatPart(minutes % 60)}`;
  return `${toLocalIso(instant, timeZone).slice(0, 19)}${offset}`;
}

/** What clocks in a time zone show at an instant, in the format of toISOString. */
const toLocalIso = (instant: Date, timeZone: string) =>
  new Date(instant.getTime() + offsetMs(instant, timeZone)).toISOString();

/** Returns how many milliseconds a time zone is ahead of UTC at an instant. */
const offsetMs = (instant: Date, timeZone: string): number =>
  clockOf(timeZone).offsetAt(Math.floor(instant.getTime() / 1000)) * 1000;

export function nextMidnight(now: Date, timeZone: string): Date {
  return instantAt(addDays(calendarDay(now, timeZone), 1), "00:00", timeZone);
}

export function daysBefore(instant: Date, days: number): Date {
  return new Date(instant.getTime() - days * 24 * 60 * 60 * 1000);
}

/** An event that begins and ends at a time of day is rarely longer. */
export const maxHours = 16;

/**
 * Whether the end of an event is probably a mistake. Both are times of day such as 18:00, and an
 * end before the start is on the next day.
 */
export function isTooLong({ starts, ends }: { starts: string; ends: string }): boolean {
  const [from = 0, until = 0] = [starts, ends].map((time) => Date.parse(`1970-01-01T${time}Z`));
  return (until - from) / 3_600_000 + (until < from ? 24 : 0) > maxHours;
}

/** Reads a time such as "6 PM", "5:30 p.m." or "17:30", and returns it as HH:MM. Null for others. */
export function readTimeOfDay(written: string): string | null {
  const [, hours, minutes, half] =
    /^(\d{1,2})(?::([0-5]\d))? ?(?:([ap])\.?m\.?)?$/i.exec(written.trim()) ?? [];
  const hour = Number(hours);
  if (half === undefined && minutes === undefined) return null;
  if (half === undefined ? hour > 23 : hour < 1 || hour > 12) return null;
  const hour24 = half === undefined ? hour : (hour % 12) + (half.toLowerCase() === "p" ? 12 : 0);
  return `${String(hour24).padStart(2, "0")}:${minutes ?? "00"}`;
}
