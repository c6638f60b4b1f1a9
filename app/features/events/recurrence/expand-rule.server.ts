import type { ZoneClock } from "../../../lib/zone-clock.ts";
import { daySeconds, isSkipped, toInstant, toLocal } from "./local-time.server.ts";
import { frequencies, parseRule, type Rule, secondsOfUnit } from "./parse-rule.server.ts";
import { type Budget, type Span, visitPeriods } from "./rule-days.server.ts";

export type Window = { from: Date; until: Date };

/**
 * A rule that is invalid or needs too many steps is broken. `isCut` tells whether the rule has more
 * dates than the limit.
 */
type RuleResult =
  | { kind: "starts"; starts: Date[]; isCut: boolean }
  | { kind: "broken"; reason: string };

/** Returns the number of steps (see `Budget`) that all rules of a calendar may use together. */
export const calendarBudget = (): Budget => ({ steps: 5_000_000 });

/** Several times the steps that a daily rule with a COUNT needs if the rule started in 1900. */
const maxStepsPerRule = 250_000;
/**
 * Enough for any rule that has no COUNT and repeats daily or less often, because such a rule is
 * computed from the start of the window and not from its first date. Every rule may use these
 * steps, so that a few expensive rules cannot use up the budget of the others.
 */
const minStepsPerRule = 1_500;

type Series = {
  /** The first event, in local seconds. */
  start: number;
  clock: ZoneClock;
  /** For all-day events, the parts of a rule that select times are ignored. */
  isAllDay: boolean;
};

/** Computes the starts of a rule (RFC 5545, 3.3.10) within a window. */
export function ruleStarts(
  text: string,
  { start, clock, isAllDay }: Series,
  window: Window,
  limit: number,
  budget = calendarBudget(),
): RuleResult {
  const parsed = parseRule(text);
  if (!parsed) return { kind: "broken", reason: "is not a valid recurrence rule" };
  const rule = isAllDay ? { ...parsed, hours: null, minutes: null, seconds: null } : parsed;
  const [from, until] = [window.from.getTime() / 1000, window.until.getTime() / 1000];
  const latestStart = rule.until
    ? rule.until.isUtc
      ? toLocal(rule.until.seconds, clock)
      : rule.until.seconds
    : Number.POSITIVE_INFINITY;
  const allowedSteps = Math.max(minStepsPerRule, Math.min(maxStepsPerRule, budget.steps));
  const ruleBudget = { steps: allowedSteps };
  const starts: Date[] = [];
  const finish = (isCut: boolean): RuleResult => {
    budget.steps -= allowedSteps - ruleBudget.steps;
    return ruleBudget.steps < 0
      ? { kind: "broken", reason: "needs too many steps" }
      : { kind: "starts", starts, isCut };
  };

  // The first event belongs to the series and counts, even if it does not match the rule (3.8.5.3).
  if (start > latestStart) return finish(false);
  const firstInstant = toInstant(start, clock);
  if (firstInstant >= from && firstInstant < until) starts.push(new Date(firstInstant * 1000));
  const windowStart = toLocal(from, clock) - daySeconds;
  // Without a COUNT, dates before the window are not needed.
  const rangeStart = rule.count === null ? Math.max(start, windowStart) : start;
  const rangeEnd = Math.min(latestStart, toLocal(until, clock) + daySeconds);
  let dateCount = 1;
  let isCut = false;
  visitTimes(rule, { start, rangeStart, rangeEnd }, ruleBudget, (local) => {
    if (local > rangeEnd || dateCount === rule.count) return false;
    // Times that clocks skip are not part of the series and do not count (3.3.10).
    if (local <= start || isSkipped(local, clock)) return true;
    dateCount += 1;
    if (local < windowStart) return true;
    const instant = toInstant(local, clock);
    if (instant < from || instant >= until) return true;
    isCut = starts.length === limit;
    if (!isCut) starts.push(new Date(instant * 1000));
    return !isCut;
  });
  return finish(isCut);
}

/**
 * Calls `visit` with all times that match a rule and are roughly within the range, in order, until
 * `visit` returns false or no steps are left. A generator would be easier to read, but takes
 * several times as long.
 */
function visitTimes(
  rule: Rule,
  span: Span,
  budget: Budget,
  visit: (local: number) => boolean,
): void {
  const { positions, interval } = rule;
  const { units, times } = timesOfDay(rule, span.start, budget);
  const unitSeconds = secondsOfUnit[rule.frequency];
  if (unitSeconds === undefined) {
    visitPeriods(rule, span, budget, (days) => {
      // A year may have millions of times, so the time at a position is computed and not looked up
      // in a list.
      const count = days.length * times.length;
      const pickedIndexes = positions ? toIndexes(positions, count) : null;
      for (let index = 0; index < (pickedIndexes?.length ?? count); index += 1) {
        budget.steps -= 1;
        if (budget.steps < 0) return false;
        const position = pickedIndexes?.[index] ?? index;
        const day = days[Math.floor(position / times.length)] ?? 0;
        if (!visit(day * daySeconds + (times[position % times.length] ?? 0))) return false;
      }
      return true;
    });
    return;
  }
  const timesOfUnit = positions
    ? toIndexes(positions, times.length).map((index) => times[index] ?? 0)
    : times;
  const firstUnit = Math.floor(span.start / unitSeconds);
  visitPeriods(rule, span, budget, ([day = 0]) => {
    for (const unit of units) {
      budget.steps -= 1;
      if (budget.steps < 0) return false;
      const unitStart = day * daySeconds + unit;
      if ((unitStart / unitSeconds - firstUnit) % interval !== 0) continue;
      for (const time of timesOfUnit) {
        budget.steps -= 1;
        if (!visit(unitStart + time)) return false;
      }
    }
    return true;
  });
}

/**
 * Turns positions (BYSETPOS) into indexes. Positions count from 1 or, if negative, from the end.
 */
function toIndexes(positions: number[], length: number): number[] {
  const candidates = positions.map((each) => (each > 0 ? each - 1 : length + each));
  return [...new Set(candidates)]
    .filter((each) => each >= 0 && each < length)
    .sort((one, other) => one - other);
}

/**
 * Returns the times of a day that match a rule. For an hourly, minutely or secondly rule, `units`
 * are the matching hours, minutes or seconds of the day, and `times` are the times within each
 * unit. For other rules, the only unit is the day. Parts that the rule does not have are taken from
 * the first event (3.3.10).
 */
function timesOfDay(
  { frequency, hours, minutes, seconds }: Rule,
  start: number,
  budget: Budget,
): { units: number[]; times: number[] } {
  const time = start - Math.floor(start / daySeconds) * daySeconds;
  const rank = frequencies.indexOf(frequency);
  const fields = [
    { name: "HOURLY", listed: hours, count: 24, size: 3600 },
    { name: "MINUTELY", listed: minutes, count: 60, size: 60 },
    { name: "SECONDLY", listed: seconds, count: 60, size: 1 },
  ] as const;
  let [units, times] = [[0], [0]];
  for (const { name, listed, count, size } of fields) {
    const isUnit = frequencies.indexOf(name) <= rank;
    const defaults = isUnit ? Array(count).keys() : [Math.floor(time / size) % count];
    const values = [...new Set(listed ?? defaults)].sort((one, other) => one - other);
    budget.steps -= (isUnit ? units : times).length * values.length;
    if (budget.steps < 0) return { units: [], times: [] };
    if (isUnit) units = combine(units, values, size);
    else times = combine(times, values, size);
  }
  return { units, times };
}

/** Adds each value, in units of this size, to each start. */
function combine(starts: number[], values: number[], size: number): number[] {
  const all: number[] = [];
  for (const start of starts) for (const value of values) all.push(start + value * size);
  return all;
}
