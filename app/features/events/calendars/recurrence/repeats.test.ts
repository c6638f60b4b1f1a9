import { expect, it } from "vitest";
import { toRecurrenceRule } from "./repeats.ts";

it.each([
  ["weekly until 2027-03-01", "FREQ=WEEKLY;UNTIL=20270301"],
  ["Weekly, 10 times", "FREQ=WEEKLY;COUNT=10"],
  ["daily", "FREQ=DAILY"],
  ["every month", "FREQ=MONTHLY"],
  ["every other week", "FREQ=WEEKLY;INTERVAL=2"],
  ["every 3 months until 2028-01-31", "FREQ=MONTHLY;INTERVAL=3;UNTIL=20280131"],
  ["every Thursday", "FREQ=WEEKLY;BYDAY=TH"],
  ["Mondays, Wednesdays and Fridays", "FREQ=WEEKLY;BYDAY=MO,WE,FR"],
  ["every two weeks on Tuesday", "FREQ=WEEKLY;INTERVAL=2;BYDAY=TU"],
  ["weekdays until 2026-12-18", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR;UNTIL=20261218"],
  ["first Saturday of the month", "FREQ=MONTHLY;BYDAY=1SA"],
  ["every second and last Friday of the month", "FREQ=MONTHLY;BYDAY=2FR,-1FR"],
  ["now and then", null],
  ["weekly until March 1", null],
  ["biweekly", null],
  ["every second Friday", null],
  ["daily on Monday", null],
  ["the first of the month", null],
  ["", null],
])("%j means %j", (words, rule) => {
  expect(toRecurrenceRule(words)).toBe(rule);
});
