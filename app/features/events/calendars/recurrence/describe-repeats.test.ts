import { expect, it } from "vitest";
import { addDays } from "../../../../lib/dates.ts";
import { describeRepeats } from "./describe-repeats.ts";
import { ruleStarts } from "./expand-rule.server.ts";
import { localSeconds, utcClock } from "./local-time.server.ts";
import { toRecurrenceRule } from "./repeats.ts";

const thursday = "2026-11-19";

function datesOf(words: string, start = thursday): string[] {
  const result = ruleStarts(
    toRecurrenceRule(words) ?? "",
    { start: localSeconds(start, "18:00"), clock: utcClock },
    { from: new Date(start), until: new Date("2027-11-19") },
    400,
  );
  if (!result) throw new Error("The rule cannot be used.");
  return result.starts.map((date) => date.toISOString().slice(0, 10));
}

it.each([
  ["daily", "Every day"],
  ["weekly", "Every Thursday"],
  ["weekly, 3 times", "Every Thursday"],
  ["every other week", "Every other Thursday"],
  ["Mondays and Thursdays", "Every Monday and Thursday"],
  ["Sundays, Tuesdays and Thursdays", "Every Sunday, Tuesday and Thursday"],
  ["weekdays", "Every weekday"],
  ["third Thursday of the month", "Third Thursday of the month"],
])("a series that is %s is described as %s", (words, text) => {
  expect(describeRepeats(datesOf(words))).toBe(text);
});

it("a series on the last weekday of the month says so, even if that is often the fourth", () => {
  expect(describeRepeats(datesOf("last Friday of the month", "2026-11-27"))).toBe(
    "Last Friday of the month",
  );
});

it("dates that are left out do not change how often a series repeats", () => {
  const weekly = datesOf("weekly");
  expect(describeRepeats(weekly.filter((_, index) => index !== 1 && index !== 7))).toBe(
    "Every Thursday",
  );
  const summer = weekly.filter((date) => date < "2026-12-31" || date > "2027-06-01");
  expect(describeRepeats(summer)).toBe("Every Thursday");
});

it("nothing is said about one or two dates, or about dates without a pattern", () => {
  expect(describeRepeats([])).toBeNull();
  expect(describeRepeats([thursday, addDays(thursday, 7)])).toBeNull();
  expect(describeRepeats(datesOf("monthly"))).toBeNull();
  expect(describeRepeats([thursday, addDays(thursday, 2), addDays(thursday, 11)])).toBeNull();
});
