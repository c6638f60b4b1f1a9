import type { ZoneClock } from "../../../../lib/zone-clock.ts";
import {
  dayNumber,
  daySeconds,
  isSkipped,
  toDateParts,
  toInstant,
  toLocal,
  weekdayOf,
} from "./local-time.server.ts";
import { parseRule, type Rule } from "./parse-rule.server.ts";

export type Window = { from: Date; until: Date };

/** `isCut` tells whether the rule has more dates than the limit. */
type RuleStarts = { starts: Date[]; isCut: boolean };

type Series = {
  /** The start of the first event, in local seconds. */
  start: number;
  clock: ZoneClock;
  /** An all-day event ignores the time of its rule (3.3.10). */
  isAllDay?: boolean;
};

/** Computes the starts of a rule (RFC 5545, 3.3.10) within a window. Null if it cannot be used. */
export function ruleStarts(
  text: string,
  { start, clock, isAllDay = false }: Series,
  window: Window,
  limit: number,
): RuleStarts | null {
  const rule = parseRule(text);
  const time = start - Math.floor(start / daySeconds) * daySeconds;
  if (!rule || (!isAllDay && !isTimeOf(rule, time))) return null;
  const [from, until] = [window.from.getTime() / 1000, window.until.getTime() / 1000];
  const latestStart = rule.until
    ? rule.until.isUtc
      ? toLocal(rule.until.seconds, clock)
      : rule.until.seconds
    : Number.POSITIVE_INFINITY;
  const starts: Date[] = [];

  // The first event belongs to the series and counts, even if it does not match the rule (3.8.5.3).
  if (start > latestStart) return { starts, isCut: false };
  const firstInstant = toInstant(start, clock);
  if (firstInstant >= from && firstInstant < until) starts.push(new Date(firstInstant * 1000));
  const windowStart = toLocal(from, clock) - daySeconds;
  // Without a COUNT, dates before the window are not needed.
  const rangeStart = rule.count === null ? Math.max(start, windowStart) : start;
  const rangeEnd = Math.min(latestStart, toLocal(until, clock) + daySeconds);
  let dateCount = 1;
  for (const day of matchingDays(rule, { start, rangeStart, rangeEnd })) {
    const local = day * daySeconds + time;
    if (local > rangeEnd || dateCount === rule.count) break;
    // Times that clocks skip are not part of the series and do not count (3.3.10).
    if (local <= start || isSkipped(local, clock)) continue;
    dateCount += 1;
    if (local < windowStart) continue;
    const instant = toInstant(local, clock);
    if (instant < from || instant >= until) continue;
    if (starts.length === limit) return { starts, isCut: true };
    starts.push(new Date(instant * 1000));
  }
  return { starts, isCut: false };
}

/** Whether a rule sets no other time of day than `time`, in seconds. */
function isTimeOf({ hour, minute, second }: Rule, time: number): boolean {
  const pairs = [
    [hour, Math.floor(time / 3600)],
    [minute, Math.floor(time / 60) % 60],
    [second, time % 60],
  ];
  return pairs.every(([wanted, actual]) => wanted === null || wanted === actual);
}

/** The start of a series and the range in which its dates are needed, in local seconds. */
type Span = { start: number; rangeStart: number; rangeEnd: number };

/** Yields the days that match a rule and are roughly within the range, in order. */
function* matchingDays(rule: Rule, { start, rangeStart, rangeEnd }: Span): Generator<number> {
  const startDay = Math.floor(start / daySeconds);
  const lastDay = Math.floor(rangeEnd / daySeconds);
  const { unitOf, firstDayOf } = periodsOf(rule);
  const { interval, positions } = rule;
  const matches = dayFilter(rule, startDay);
  const startUnit = unitOf(startDay);
  const rangeStartUnit = unitOf(Math.floor(rangeStart / daySeconds));
  const firstUnit = startUnit + Math.floor((rangeStartUnit - startUnit) / interval) * interval;
  for (let unit = firstUnit; firstDayOf(unit) <= lastDay; unit += interval) {
    const end = firstDayOf(unit + 1);
    const days: number[] = [];
    for (let day = firstDayOf(unit); day < end; day += 1) if (matches(day)) days.push(day);
    yield* positions ? pickPositions(days, positions) : days;
  }
}

/** Picks days by their position (BYSETPOS), which counts from 1 or, if negative, from the end. */
const pickPositions = (days: number[], positions: number[]): number[] =>
  days.filter((_, index) => isAt(positions, { position: index + 1, length: days.length }));

/** Functions that number the periods of a rule (years, months, weeks or days) from their days. */
function periodsOf({ frequency, weekStart }: Rule) {
  switch (frequency) {
    case "YEARLY":
      return {
        unitOf: (day: number) => toDateParts(day).year,
        firstDayOf: (year: number) => dayNumber(year, 1, 1),
      };
    case "MONTHLY":
      return {
        unitOf(day: number) {
          const { year, month } = toDateParts(day);
          return year * 12 + month - 1;
        },
        firstDayOf: (month: number) => dayNumber(Math.floor(month / 12), (month % 12) + 1, 1),
      };
    case "WEEKLY":
      return {
        // Day -3, counted from January 1, 1970, was a Monday.
        unitOf: (day: number) => Math.floor((day + 3 - weekStart) / 7),
        firstDayOf: (week: number) => week * 7 - 3 + weekStart,
      };
    default:
      return { unitOf: (day: number) => day, firstDayOf: (day: number) => day };
  }
}

/**
 * Returns a function that tells whether a day matches all parts of a rule that select days. In RFC
 * 5545 some parts expand the set of days and others limit it. Checking every part for every day of
 * the period has the same result.
 */
function dayFilter(parsedRule: Rule, startDay: number): (day: number) => boolean {
  const { frequency, months, monthDays, weekdays } = withDefaultDays(parsedRule, startDay);
  // The period in which a part such as "the second Monday" counts; elsewhere, its number is
  // ignored.
  const isNthInMonth = frequency === "MONTHLY" || (frequency === "YEARLY" && months !== null);
  const hasNth =
    (isNthInMonth || frequency === "YEARLY") && weekdays?.some(({ nth }) => nth !== null) === true;
  return (day) => {
    const weekday = weekdayOf(day);
    if (weekdays && !weekdays.some((each) => each.weekday === weekday)) return false;
    if (!months && !monthDays && !hasNth) return true;
    const { year, month, date } = toDateParts(day);
    if (months && !months.includes(month)) return false;
    const inMonth = { position: date, length: monthLength(year, month) };
    if (monthDays && !isAt(monthDays, inMonth)) return false;
    if (!weekdays || !hasNth) return true;
    const yearStart = dayNumber(year, 1, 1);
    const { position, length } = isNthInMonth
      ? inMonth
      : { position: day - yearStart + 1, length: dayNumber(year + 1, 1, 1) - yearStart };
    const nthForward = Math.ceil(position / 7);
    const nthBackward = -Math.ceil((length - position + 1) / 7);
    return weekdays.some(
      (each) =>
        each.weekday === weekday &&
        (each.nth === null || each.nth === nthForward || each.nth === nthBackward),
    );
  };
}

/** A position in a period of this length, counted from 1. */
type Ordinal = { position: number; length: number };
/** Whether the values include this position. Negative values count from the end. */
const isAt = (values: number[], { position, length }: Ordinal) =>
  values.includes(position) || values.includes(position - length - 1);

const monthLength = (year: number, month: number) =>
  dayNumber(year, month + 1, 1) - dayNumber(year, month, 1);

/** A rule without parts for days takes them from the first event (RFC 5545, 3.3.10). */
function withDefaultDays(rule: Rule, startDay: number): Rule {
  const { frequency, months, monthDays, weekdays } = rule;
  if (monthDays || weekdays) return rule;
  const { month, date } = toDateParts(startDay);
  switch (frequency) {
    case "YEARLY":
      return { ...rule, months: months ?? [month], monthDays: [date] };
    case "MONTHLY":
      return { ...rule, monthDays: [date] };
    case "WEEKLY":
      return { ...rule, weekdays: [{ weekday: weekdayOf(startDay), nth: null }] };
    default:
      return rule;
  }
}
