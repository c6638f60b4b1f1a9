import { daySeconds, isSkipped, toInstant, toLocal, type ZoneClock } from "./local-time.server.ts";
import { frequencies, parseRule, type Rule, secondsOfUnit } from "./parse-rule.server.ts";
import { type Budget, type Span, visitPeriods } from "./rule-days.server.ts";

export type Window = { from: Date; until: Date };

/**
 * A rule that cannot be read, or takes too much work, gives nothing. One with more dates than
 * `limit` is cut.
 */
type RuleResult =
  | { kind: "starts"; starts: Date[]; isCut: boolean }
  | { kind: "broken"; reason: string };

/** For all rules of a calendar together. */
export const calendarBudget = (): Budget => ({ steps: 5_000_000 });

/** Enough for a rule with a COUNT that has met every day since 1900, several times over. */
const maxStepsPerRule = 250_000;
/**
 * Enough for any rule of days without COUNT, which begins with the window and not with its first
 * date. A rule may always take these steps, so that a few bad rules do not use up what the others
 * need.
 */
const minStepsPerRule = 1_500;

type Series = {
  /** The first event, in local seconds. */
  start: number;
  clock: ZoneClock;
  /** Whole days have no times, whatever their rule says. */
  isWholeDays: boolean;
};

/** When a rule (RFC 5545, 3.3.10) meets within a window. */
export function ruleStarts(
  text: string,
  { start, clock, isWholeDays }: Series,
  window: Window,
  limit: number,
  budget = calendarBudget(),
): RuleResult {
  const parsed = parseRule(text);
  if (!parsed) return { kind: "broken", reason: "is not a recurrence rule that we know" };
  const rule = isWholeDays ? { ...parsed, hours: null, minutes: null, seconds: null } : parsed;
  const [from, until] = [window.from.getTime() / 1000, window.until.getTime() / 1000];
  const last = rule.until
    ? rule.until.isUtc
      ? toLocal(rule.until.seconds, clock)
      : rule.until.seconds
    : Number.POSITIVE_INFINITY;
  const allowed = Math.max(minStepsPerRule, Math.min(maxStepsPerRule, budget.steps));
  const work = { steps: allowed };
  const starts: Date[] = [];
  const finish = (isCut: boolean): RuleResult => {
    budget.steps -= allowed - work.steps;
    return work.steps < 0
      ? { kind: "broken", reason: "takes too many steps" }
      : { kind: "starts", starts, isCut };
  };

  // The first event is one of the series, and counts, whether or not it fits the rule (3.8.5.3).
  if (start > last) return finish(false);
  const first = toInstant(start, clock);
  if (first >= from && first < until) starts.push(new Date(first * 1000));
  const windowStart = toLocal(from, clock) - daySeconds;
  // Without a COUNT nothing before the window needs to be known.
  const since = rule.count === null ? Math.max(start, windowStart) : start;
  const through = Math.min(last, toLocal(until, clock) + daySeconds);
  let counted = 1;
  let isCut = false;
  visitTimes(rule, { start, since, through }, work, (local) => {
    if (local > through || counted === rule.count) return false;
    // Times that do not exist are not part of the series and do not count (3.3.10).
    if (local <= start || isSkipped(local, clock)) return true;
    counted += 1;
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
 * Passes all times that fit a rule from about `since` to about `through`, in order, to a function
 * that says whether to go on. Ends when no steps are left. A generator would read better, but takes
 * several times as long.
 */
function visitTimes(rule: Rule, span: Span, work: Budget, visit: (local: number) => boolean): void {
  const { positions, interval } = rule;
  const { units, times } = timesOfDay(rule, span.start, work);
  const unitSeconds = secondsOfUnit[rule.frequency];
  if (unitSeconds === undefined) {
    visitPeriods(rule, span, work, (days) => {
      // A year may have millions of times, so the one at a position is computed.
      const count = days.length * times.length;
      const picked = positions ? toIndexes(positions, count) : null;
      for (let index = 0; index < (picked?.length ?? count); index += 1) {
        work.steps -= 1;
        if (work.steps < 0) return false;
        const place = picked?.[index] ?? index;
        const day = days[Math.floor(place / times.length)] ?? 0;
        if (!visit(day * daySeconds + (times[place % times.length] ?? 0))) return false;
      }
      return true;
    });
    return;
  }
  const timesOfUnit = positions
    ? toIndexes(positions, times.length).map((index) => times[index] ?? 0)
    : times;
  const firstUnit = Math.floor(span.start / unitSeconds);
  visitPeriods(rule, span, work, ([day = 0]) => {
    for (const unit of units) {
      work.steps -= 1;
      if (work.steps < 0) return false;
      const unitStart = day * daySeconds + unit;
      if ((unitStart / unitSeconds - firstUnit) % interval !== 0) continue;
      for (const time of timesOfUnit) {
        work.steps -= 1;
        if (!visit(unitStart + time)) return false;
      }
    }
    return true;
  });
}

/** Positions (BYSETPOS) count from 1, or from the end if they are negative. */
function toIndexes(positions: number[], length: number): number[] {
  const found = positions.map((each) => (each > 0 ? each - 1 : length + each));
  return [...new Set(found)]
    .filter((each) => each >= 0 && each < length)
    .sort((one, other) => one - other);
}

/**
 * The hours, minutes or seconds of a day in which a rule that counts these may meet, and the times
 * within each of them; for other rules, one unit and the times of the day. What the rule does not
 * say is as in the first event (3.3.10).
 */
function timesOfDay(
  { frequency, hours, minutes, seconds }: Rule,
  start: number,
  work: Budget,
): { units: number[]; times: number[] } {
  const time = start - Math.floor(start / daySeconds) * daySeconds;
  const rank = frequencies.indexOf(frequency);
  const fields = [
    { name: "HOURLY", given: hours, count: 24, size: 3600 },
    { name: "MINUTELY", given: minutes, count: 60, size: 60 },
    { name: "SECONDLY", given: seconds, count: 60, size: 1 },
  ] as const;
  let [units, times] = [[0], [0]];
  for (const { name, given, count, size } of fields) {
    const isUnit = frequencies.indexOf(name) <= rank;
    const defaults = isUnit ? Array(count).keys() : [Math.floor(time / size) % count];
    const values = [...new Set(given ?? defaults)].sort((one, other) => one - other);
    work.steps -= (isUnit ? units : times).length * values.length;
    if (work.steps < 0) return { units: [], times: [] };
    if (isUnit) units = combine(units, values, size);
    else times = combine(times, values, size);
  }
  return { units, times };
}

function combine(starts: number[], values: number[], size: number): number[] {
  const all: number[] = [];
  for (const start of starts) for (const value of values) all.push(start + value * size);
  return all;
}
