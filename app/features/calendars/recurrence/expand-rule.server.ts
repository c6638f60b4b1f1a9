import type { ZoneClock } from "../../../lib/zone-clock.ts";
import { daySeconds, isSkipped, toInstant, toLocal } from "./local-time.server.ts";
import { parseRule, type Rule, type RuleProblem } from "./parse-rule.server.ts";
import { matchingDays } from "./rule-days.server.ts";

export type Window = { from: Date; until: Date };

/** `isCut` tells whether the rule has more dates than the limit. */
type RuleResult =
  | { kind: "starts"; starts: Date[]; isCut: boolean }
  | { kind: "broken"; reason: RuleProblem };

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
): RuleResult {
  const rule = parseRule(text);
  if (typeof rule === "string") return { kind: "broken", reason: rule };
  const [from, until] = [window.from.getTime() / 1000, window.until.getTime() / 1000];
  const latestStart = rule.until
    ? rule.until.isUtc
      ? toLocal(rule.until.seconds, clock)
      : rule.until.seconds
    : Number.POSITIVE_INFINITY;
  const starts: Date[] = [];

  // The first event belongs to the series and counts, even if it does not match the rule (3.8.5.3).
  if (start > latestStart) return { kind: "starts", starts, isCut: false };
  const firstInstant = toInstant(start, clock);
  if (firstInstant >= from && firstInstant < until) starts.push(new Date(firstInstant * 1000));
  const windowStart = toLocal(from, clock) - daySeconds;
  // Without a COUNT, dates before the window are not needed.
  const rangeStart = rule.count === null ? Math.max(start, windowStart) : start;
  const rangeEnd = Math.min(latestStart, toLocal(until, clock) + daySeconds);
  const time = timeOfDay(start, isAllDay ? null : rule);
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
    if (starts.length === limit) return { kind: "starts", starts, isCut: true };
    starts.push(new Date(instant * 1000));
  }
  return { kind: "starts", starts, isCut: false };
}

/** The time of day, in seconds. What the rule does not set is taken from the first event. */
function timeOfDay(start: number, rule: Pick<Rule, "hour" | "minute" | "second"> | null): number {
  const time = start - Math.floor(start / daySeconds) * daySeconds;
  const hour = rule?.hour ?? Math.floor(time / 3600);
  const minute = rule?.minute ?? Math.floor(time / 60) % 60;
  const second = rule?.second ?? time % 60;
  return hour * 3600 + minute * 60 + second;
}
