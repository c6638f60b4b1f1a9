import { dayNumber, daySeconds, toDateParts, weekdayOf } from "./local-time.server.ts";
import { type Rule, secondsOfUnit } from "./parse-rule.server.ts";

/** The work that is left. A step looks at one day, or at one time of a day. */
export type Budget = { steps: number };

/** Of a series, in local seconds: its first event, and from when to when its dates are wanted. */
export type Span = { start: number; since: number; through: number };

/** Passes the days that fit a rule, period by period, to a function that says whether to go on. */
export function visitPeriods(
  rule: Rule,
  { start, since, through }: Span,
  work: Budget,
  visit: (days: number[]) => boolean,
): void {
  const startDay = Math.floor(start / daySeconds);
  const lastDay = Math.floor(through / daySeconds);
  const { unitOf, firstDayOf } = periodsOf(rule);
  const fits = dayFilter(rule, startDay);
  const startUnit = unitOf(startDay);
  // Within a day the interval is that of hours, minutes or seconds, so every day is looked at.
  const interval = secondsOfUnit[rule.frequency] ? 1 : rule.interval;
  const sinceUnit = unitOf(Math.floor(since / daySeconds));
  const firstUnit = startUnit + Math.floor((sinceUnit - startUnit) / interval) * interval;
  for (let unit = firstUnit; firstDayOf(unit) <= lastDay; unit += interval) {
    const end = firstDayOf(unit + 1);
    const days: number[] = [];
    for (let day = firstDayOf(unit); day < end; day += 1) {
      work.steps -= 1;
      if (fits(day)) days.push(day);
    }
    if (work.steps < 0 || (days.length > 0 && !visit(days))) return;
  }
}

/** Years, months, weeks or days, each with a number of its own. */
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
 * Whether a day fits all parts of a rule that name days. RFC 5545 lets some parts expand and others
 * limit, which comes to the same once every part is asked of every day of the period. Parts that
 * the RFC does not allow for a frequency, such as week numbers of a monthly rule, limit as well.
 */
function dayFilter(given: Rule, startDay: number): (day: number) => boolean {
  const rule = withDefaultDays(given, startDay);
  const { months, weekNumbers, yearDays, monthDays, weekdays, weekStart } = rule;
  const nthIn =
    rule.frequency === "MONTHLY" || (rule.frequency === "YEARLY" && months)
      ? "month"
      : rule.frequency === "YEARLY" && !weekNumbers
        ? "year"
        : null;
  const hasNth = weekdays?.some(({ nth }) => nth !== null) === true && nthIn !== null;
  if (!months && !weekNumbers && !yearDays && !monthDays && !weekdays) return () => true;
  return (day) => {
    const weekday = weekdayOf(day);
    if (weekdays && !weekdays.some((each) => each.weekday === weekday)) return false;
    if (!months && !weekNumbers && !yearDays && !monthDays && !hasNth) return true;
    const { year, month, date } = toDateParts(day);
    if (months && !months.includes(month)) return false;
    const inMonth = { position: date, length: monthLength(year, month) };
    if (monthDays && !isAt(monthDays, inMonth)) return false;
    if (!weekNumbers && !yearDays && !hasNth) return true;
    const yearStart = dayNumber(year, 1, 1);
    const inYear = { position: day - yearStart + 1, length: dayNumber(year + 1, 1, 1) - yearStart };
    if (yearDays && !isAt(yearDays, inYear)) return false;
    if (weekNumbers && !isAt(weekNumbers, weekOf(day, weekStart))) return false;
    if (!weekdays || !hasNth) return true;
    const { position, length } = nthIn === "month" ? inMonth : inYear;
    const fromStart = Math.ceil(position / 7);
    const fromEnd = -Math.ceil((length - position + 1) / 7);
    return weekdays.some(
      (each) =>
        each.weekday === weekday &&
        (each.nth === null || each.nth === fromStart || each.nth === fromEnd),
    );
  };
}

/** A place among a number of others, from 1; values count from the end if they are negative. */
type Ordinal = { position: number; length: number };
const isAt = (values: number[], { position, length }: Ordinal) =>
  values.includes(position) || values.includes(position - length - 1);

const monthLengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
function monthLength(year: number, month: number): number {
  const isLeapYear = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  return month === 2 && isLeapYear ? 29 : (monthLengths[month - 1] ?? 0);
}

/** A rule that does not say which days means those of its first event (3.3.10). */
function withDefaultDays(rule: Rule, startDay: number): Rule {
  const { frequency, months, weekNumbers, yearDays, monthDays, weekdays } = rule;
  const weekdayOfStart = [{ weekday: weekdayOf(startDay), nth: null }];
  if (yearDays || monthDays || weekdays) return rule;
  if (weekNumbers) return frequency === "YEARLY" ? { ...rule, weekdays: weekdayOfStart } : rule;
  const { month, date } = toDateParts(startDay);
  switch (frequency) {
    case "YEARLY":
      return { ...rule, months: months ?? [month], monthDays: [date] };
    case "MONTHLY":
      return { ...rule, monthDays: [date] };
    case "WEEKLY":
      return { ...rule, weekdays: weekdayOfStart };
    default:
      return rule;
  }
}

/**
 * The number of a day's week among the weeks of its year. The first week has at least four days in
 * the year.
 */
function weekOf(day: number, weekStart: number): Ordinal {
  const firstDayOf = (date: number) => date - ((weekdayOf(date) - weekStart + 7) % 7);
  // The first week of a year is the one that January 4 is in.
  const firstWeek = (year: number) => firstDayOf(dayNumber(year, 1, 4));
  const weekStartDay = firstDayOf(day);
  // A week belongs to the year that has its fourth day.
  const { year } = toDateParts(weekStartDay + 3);
  return {
    position: (weekStartDay - firstWeek(year)) / 7 + 1,
    length: (firstWeek(year + 1) - firstWeek(year)) / 7,
  };
}
