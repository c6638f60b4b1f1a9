import { RRuleTemporal } from "rrule-temporal";
import { instantAt } from "../../lib/dates.ts";

export type Window = { from: Date; until: Date };

/** A rule that is no rule gives nothing; one that gives more than we take is cut. */
export type RuleAnswer =
  | { kind: "starts"; starts: Date[]; isCut: boolean }
  | { kind: "broken"; reason: string };

/** So many steps may one look at a rule take: enough for a daily one of 27 years, and over within a moment. */
const maxSteps = 10_000;
const maxRuleLength = 500;
const stepMs = 31 * 24 * 60 * 60 * 1000;

/**
 * When a rule (RFC 5545, 3.3.10) strikes within a window. `start` is the local time of the first event, such as
 * 19970902T090000. The window is looked at month by month, so that a rule without end, or one that never strikes,
 * costs no more than the window is long.
 */
export function ruleStarts(
  rule: string,
  start: string,
  zone: string,
  { from, until }: Window,
  limit: number,
): RuleAnswer {
  // Numbers beyond any calendar have been seen to keep the library busy for minutes.
  if (rule.length > maxRuleLength || /INTERVAL=\d{5}/i.test(rule))
    return { kind: "broken", reason: "the rule has numbers that no calendar has" };
  const starts: Date[] = [];
  try {
    const recurrence = new RRuleTemporal({
      rruleString: `DTSTART;TZID=${zone}:${start}\nRRULE:${withEndInUtc(rule, zone)}`,
      // The first event is one of the series, whether or not it fits the rule (3.8.5.3).
      includeDtstart: true,
      maxIterations: maxSteps,
      maxCandidateEvaluations: maxSteps,
    });
    for (let at = from.getTime(); at < until.getTime(); at += stepMs) {
      const end = Math.min(at + stepMs, until.getTime());
      for (const { epochMilliseconds } of recurrence.between(new Date(at), new Date(end), true)) {
        if (epochMilliseconds < at || epochMilliseconds >= end) continue;
        if (starts.length === limit) return { kind: "starts", starts, isCut: true };
        starts.push(new Date(epochMilliseconds));
      }
    }
    return { kind: "starts", starts, isCut: false };
  } catch (error) {
    // The library says by an error that a rule is none, and that it would take more steps than it may.
    if (starts.length > 0) return { kind: "starts", starts, isCut: true };
    return { kind: "broken", reason: error instanceof Error ? error.message : String(error) };
  }
}

/**
 * The end of a rule has to be in UTC. Where it is a day, it means all of that day; where it is a local time, the series'
 * own: so those mean it who write it so.
 */
function withEndInUtc(rule: string, zone: string): string {
  return rule.replace(/UNTIL=(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)\d\d)?(?=;|$)/i, (_, ...parts: string[]) => {
    const [year, month, day, hours = "23", minutes = "59"] = parts;
    const end = instantAt(`${year}-${month}-${day}`, `${hours}:${minutes}`, zone);
    return `UNTIL=${end.toISOString().replaceAll(/[-:]|\.\d+/g, "")}`;
  });
}
