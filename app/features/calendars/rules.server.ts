import { daySeconds, instantOf, isSkipped, localAt, type ZoneClock } from "./local-time.server.ts";
import { frequencies, parseRule, type Rule, secondsOfUnit } from "./rule.server.ts";
import { type Budget, type Span, visitPeriods } from "./rule-days.server.ts";

export type Window = { from: Date; until: Date };

/** A rule that cannot be read, or takes too much work, gives nothing. One with more dates than `limit` is cut. */
export type RuleAnswer =
  | { kind: "starts"; starts: Date[]; isCut: boolean }
  | { kind: "broken"; reason: string };

/** For all rules of a calendar together. */
export const calendarBudget = (): Budget => ({ steps: 5_000_000 });

/** Enough for a rule with a COUNT that has met every day since 1900, several times over. */
const maxStepsPerRule = 250_000;
/**
 * Enough for any rule of days without COUNT, which begins with the window and not with its first date. A rule may
 * always take these steps, so that a few bad rules do not use up what the others need.
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
): RuleAnswer {
  const parsed = parseRule(text);
  if (!parsed) return { kind: "broken", reason: "is not a recurrence rule that we know" };
  const rule = isWholeDays ? { ...parsed, hours: null, minutes: null, seconds: null } : parsed;
  const [from, until] = [window.from.getTime() / 1000, window.until.getTime() / 1000];
  const last = rule.until
    ? rule.until.isUtc
      ? localAt(rule.until.seconds, clock)
      : rule.until.seconds
    : Number.POSITIVE_INFINITY;
  const allowed = Math.max(minStepsPerRule, Math.min(maxStepsPerRule, budget.steps));
  const work = { steps: allowed };
  const starts: Date[] = [];
  const answer = (isCut: boolean): RuleAnswer => {
    budget.steps -= allowed - work.steps;
    return work.steps < 0
      ? { kind: "broken", reason: "takes too many steps" }
      : { kind: "starts", starts, isCut };
  };

  // The first event is one of the series, and counts, whether or not it fits the rule (3.8.5.3).
  if (start > last) return answer(false);
  const first = instantOf(start, clock);
  if (first >= from && first < until) starts.push(new Date(first * 1000));
  const windowStart = localAt(from, clock) - daySeconds;
  // Without a COUNT nothing before the window needs to be known.
  const since = rule.count === null ? Math.max(start, windowStart) : start;
  const through = Math.min(last, localAt(until, clock) + daySeconds);
  let counted = 1;
  let isCut = false;
  visitTimes(rule, { start, since, through }, work, (local) => {
    if (local > through || counted === rule.count) return false;
    // Times that do not exist are not part of the series and do not count (3.3.10).
    if (local <= start || isSkipped(local, clock)) return true;
    counted += 1;
    if (local < windowStart) return true;
    const instant = instantOf(local, clock);
    if (instant < from || instant >= until) return true;
    isCut = starts.length === limit;
    if (!isCut) starts.push(new Date(instant * 1000));
    return !isCut;
  });
  return answer(isCut);
}

/**
 * Passes all times that fit a rule from about `since` to about `through`, in order, to a function that says whether to
 * go on. Ends when no steps are left. A generator would read better, but takes several times as long.
 */
function visitTimes(rule: Rule, span: Span, work: Budget, visit: (local: number) => boolean): void {
  const { interval, positions } = rule;
  const unit = secondsOfUnit[rule.frequency] ?? null;
  const times = timesOfDay(rule, span.start, work);
  const isInInterval = (local: number) =>
    unit === null || (Math.floor(local / unit) - Math.floor(span.start / unit)) % interval === 0;
  // Of a period within a day, positions count among the times of that period.
  const timesInDay =
    positions && unit !== null
      ? [...Map.groupBy(times, (time) => Math.floor(time / unit)).values()].flatMap((group) =>
          indexes(positions, group.length).flatMap((index) => group[index] ?? []),
        )
      : times;
  visitPeriods(rule, span, work, (days) => {
    if (positions && unit === null) {
      // A year may have millions of times, so the one at a position is computed.
      return indexes(positions, days.length * times.length).every((index) => {
        work.steps -= 1;
        const day = days[Math.floor(index / times.length)] ?? 0;
        return visit(day * daySeconds + (times[index % times.length] ?? 0));
      });
    }
    for (const day of days) {
      for (const time of timesInDay) {
        work.steps -= 1;
        if (work.steps < 0) return false;
        const local = day * daySeconds + time;
        if (isInInterval(local) && !visit(local)) return false;
      }
    }
    return true;
  });
}

/** Positions (BYSETPOS) count from 1, or from the end if they are negative. */
function indexes(positions: number[], length: number): number[] {
  const found = positions.map((each) => (each > 0 ? each - 1 : length + each));
  return [...new Set(found)].filter((each) => each >= 0 && each < length).sort((one, other) => one - other);
}

/** The seconds of a day at which a rule may meet: as its parts say, else all, else as the first event (3.3.10). */
function timesOfDay({ frequency, ...rule }: Rule, start: number, work: Budget): number[] {
  const rank = frequencies.indexOf(frequency);
  const values = (given: number[] | null, name: Rule["frequency"], count: number, first: number) =>
    [...new Set(given ?? (rank >= frequencies.indexOf(name) ? Array(count).keys() : [first]))].sort(
      (one, other) => one - other,
    );
  const time = ((start % daySeconds) + daySeconds) % daySeconds;
  const hours = values(rule.hours, "HOURLY", 24, Math.floor(time / 3600));
  const minutes = values(rule.minutes, "MINUTELY", 60, Math.floor(time / 60) % 60);
  const seconds = values(rule.seconds, "SECONDLY", 60, time % 60);
  work.steps -= hours.length * minutes.length * seconds.length;
  if (work.steps < 0) return [];
  return hours.flatMap((hour) =>
    minutes.flatMap((minute) => seconds.map((second) => hour * 3600 + minute * 60 + second)),
  );
}
