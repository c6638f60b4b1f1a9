import { dayNumber, daySeconds, toDateParts, weekdayOf } from "./local-time.server.ts";
import type { Rule } from "./parse-rule.server.ts";

/** The start of a series and the range in which its dates are needed, in local seconds. */
type Span = { start: number; rangeStart: number; rangeEnd: number };

/** Yields the days that match a rule and are roughly within the range, in order. */
export function* matchingDays(
  rule: Rule,
  { start, rangeStart, rangeEnd }: Span,
): Generator<number> {
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

/**
 * Returns functions that number the periods of a rule (years, months, weeks or days) and find their
 * first days.
 */
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
        // Day -3 was a Monday.
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
  // The period in which a part such as "the second Monday" counts; elsewhere, its number is ignored.
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

/** A rule without parts for days takes them from the first event (3.3.10). */
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
