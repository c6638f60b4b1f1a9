import type { ZoneClock } from "../../../lib/zone-clock.ts";

/**
 * Calendars use local time: what a clock on the wall shows, without a time zone. This module
 * represents it as one number, the seconds since midnight on January 1, 1970 on that clock, so that
 * rules need only arithmetic. A day number is the number of days since that date.
 */
export const daySeconds = 24 * 60 * 60;

type DateParts = { year: number; month: number; date: number };

/*
 * The conversions between dates and day numbers use arithmetic, because creating a Date for each
 * day of a rule takes several times longer. Years start on March 1, so that a leap day is the last
 * day of its year. The calendar repeats every 400 years, which have 146,097 days.
 */
const daysPerCycle = 146_097;
const daysFromYear0To1970 = 719_468;
const daysBeforeMonth = (monthFromMarch: number) => Math.floor((153 * monthFromMarch + 2) / 5);
const daysBeforeYear = (yearOfCycle: number) =>
  yearOfCycle * 365 + Math.floor(yearOfCycle / 4) - Math.floor(yearOfCycle / 100);

export function dayNumber(year: number, month: number, date: number): number {
  const yearFromMarch = month <= 2 ? year - 1 : year;
  const cycle = Math.floor(yearFromMarch / 400);
  const dayOfYear = daysBeforeMonth(month <= 2 ? month + 9 : month - 3) + date - 1;
  return (
    cycle * daysPerCycle +
    daysBeforeYear(yearFromMarch - cycle * 400) +
    dayOfYear -
    daysFromYear0To1970
  );
}

export function toDateParts(day: number): DateParts {
  const daysSinceYear0 = day + daysFromYear0To1970;
  const cycle = Math.floor(daysSinceYear0 / daysPerCycle);
  const dayOfCycle = daysSinceYear0 - cycle * daysPerCycle;
  const leapDays =
    Math.floor(dayOfCycle / 1_460) -
    Math.floor(dayOfCycle / 36_524) +
    Math.floor(dayOfCycle / 146_096);
  const yearOfCycle = Math.floor((dayOfCycle - leapDays) / 365);
  const dayOfYear = dayOfCycle - daysBeforeYear(yearOfCycle);
  const monthFromMarch = Math.floor((5 * dayOfYear + 2) / 153);
  const month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9;
  return {
    year: cycle * 400 + yearOfCycle + (month <= 2 ? 1 : 0),
    month,
    date: dayOfYear - daysBeforeMonth(monthFromMarch) + 1,
  };
}

/** The day number of a date, or null if the date does not exist. */
export function existingDay(year: number, month: number, date: number): number | null {
  const day = dayNumber(year, month, date);
  const parts = toDateParts(day);
  return parts.month === month && parts.date === date ? day : null;
}

/** The weekday of a day number; 0 is Monday. January 1, 1970 was a Thursday. */
export function weekdayOf(day: number): number {
  return (((day + 3) % 7) + 7) % 7;
}

/** Converts a day (YYYY-MM-DD) and a time (HH:MM) to local seconds. */
export const localSeconds = (day: string, time: string) => Date.parse(`${day}T${time}:00Z`) / 1000;

export const toIsoDay = (day: number) => new Date(day * 86_400_000).toISOString().slice(0, 10);

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
