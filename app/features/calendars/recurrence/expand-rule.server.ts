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
  /** An all-day event ignores the time of its rule (3.3.10). */
  isAllDay?: boolean;
};

/** Computes the starts of a rule (RFC 5545, 3.3.10) within a window. */
export function ruleStarts(
  text: string,
  { start, clock, isAllDay = false }: Series,
  window: Window,
  limit: number,
): RuleResult {
  const rule = parseRule(text);
  if (typeof rule === "string") return { kind: "broken", reason: rule };
  const time = start - Math.floor(start / daySeconds) * daySeconds;
  if (!isAllDay && !isTimeOf(rule, time)) return { kind: "broken", reason: "invalid" };
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

/** Whether a rule sets no other time of day than this one, in seconds. */
function isTimeOf({ hour, minute, second }: Rule, time: number): boolean {
  const pairs = [
    [hour, Math.floor(time / 3600)],
    [minute, Math.floor(time / 60) % 60],
    [second, time % 60],
  ];
  return pairs.every(([wanted, actual]) => wanted === null || wanted === actual);
}
