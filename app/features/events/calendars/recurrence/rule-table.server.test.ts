import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { ruleStarts } from "./expand-rule.server.ts";
import { localSeconds, utcClock } from "./local-time.server.ts";

const series = { start: localSeconds("2026-09-01", "09:30"), clock: utcClock };
const window = { from: new Date("2026-01-01T00:00:00Z"), until: new Date("2040-01-01T00:00:00Z") };

/** The three dates after the first event, such as "20270901". */
function listDates(rule: string): string {
  const result = ruleStarts(rule, series, window, 4);
  if (!result) return "unusable";
  return result.starts
    .slice(1)
    .map((date) => date.toISOString().slice(0, 10).replaceAll("-", ""))
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
    expect(table.length).toBe(172);
    expect(table.map(({ rule }) => ({ rule, dates: listDates(rule) }))).toEqual(table);
  });
});
