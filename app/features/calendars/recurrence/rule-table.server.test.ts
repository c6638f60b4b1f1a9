import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { ruleStarts } from "./expand-rule.server.ts";
import { localSeconds, utcClock } from "./local-time.server.ts";

const series = { start: localSeconds("2026-09-01", "09:30"), clock: utcClock, isAllDay: false };
const window = { from: new Date("2026-01-01T00:00:00Z"), until: new Date("2040-01-01T00:00:00Z") };

/**
 * The three dates after the first event, such as "20270901", or "20270901T060000" for a time other
 * than 9:30.
 */
function listDates(rule: string): string {
  const result = ruleStarts(rule, series, window, 4);
  if (result.kind === "broken") return result.reason;
  return result.starts
    .slice(1)
    .map((date) => date.toISOString().replaceAll(/[-:]/g, "").slice(0, 15).replace("T093000", ""))
    .join(" ");
}

describe("every part of a rule, alone and in pairs", () => {
  const table = readFileSync("tests/fixtures/rule-table.txt", "utf8")
    .trim()
    .split("\n")
    .map((line) => {
      const [rule = "", ...dates] = line.split(" ");
      return { rule, dates: dates.join(" ") };
    });

  it("gives the same dates as python-dateutil", () => {
    expect(table.length).toBe(239);
    expect(table.map(({ rule }) => ({ rule, dates: listDates(rule) }))).toEqual(table);
  });
});

describe("a rule with only week numbers", () => {
  // ISO week 20 is May 17 to 23 in 2027, May 15 to 21 in 2028 and May 14 to 20 in 2029.
  it.each([
    ["FREQ=YEARLY;BYWEEKNO=20", "20270518 20280516 20290515"],
    // The last week of 2026 is the 53rd, from December 28.
    ["FREQ=YEARLY;BYWEEKNO=-1", "20261229 20271228 20281226"],
    ["FREQ=YEARLY;BYWEEKNO=53", "20261229 20321228 20371229"],
    // With weeks that begin on a Sunday, the first of 2027 is January 3 to 9.
    ["FREQ=YEARLY;BYWEEKNO=1;WKST=SU", "20270105 20280104 20290102"],
    ["FREQ=YEARLY;BYWEEKNO=20;BYHOUR=6", "20270518T063000 20280516T063000 20290515T063000"],
  ])("uses the weekday of the first event: %s", (rule, dates) => {
    expect(listDates(rule)).toBe(dates);
  });
});
