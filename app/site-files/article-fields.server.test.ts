import { expect, it } from "vitest";
import { corrections, dayOrTime } from "./article-fields.server.ts";

const explain = (written: unknown) => dayOrTime.safeParse(written).error?.issues[0]?.message;

it.each(["2026-11-15", "2026-11-15 18:30", "2026-11-15 00:00"])("%s is a date", (written) => {
  expect(explain(written)).toBeUndefined();
});

it.each([
  ["2026-11-15T18:30", "must be written as 2026-11-15 18:30"],
  ["2026-11-15T18:30:00", "must be written as 2026-11-15 18:30"],
  ["2026-11-15, 18:30", "must be written as 2026-11-15 18:30"],
  ["2026-11-15 18.30", "must be written as 2026-11-15 18:30"],
  ["2026-11-15 9:05", "must be written as 2026-11-15 09:05"],
  ["2026-11-15 6:30 pm", "must be written as 2026-11-15 18:30"],
  ["2026-11-15 12:15 a.m.", "must be written as 2026-11-15 00:15"],
  [
    "2026-11-15T18:30:00Z",
    "must be a time in the city's time zone, such as 2026-11-15 18:30, without Z",
  ],
  ["2026-11-15 24:00", "must have a time from 00:00 to 23:59, such as 2026-11-15 18:30"],
  ["2026-11-31", "is not a day of the calendar"],
  ["2026-11-31 09:00", "is not a day of the calendar"],
  [
    "2026-11-15 noon",
    "must be a day such as 2026-11-15, or a day and a time such as 2026-11-15 18:30",
  ],
  ["Nov. 5, 2026", "must be written as 2026-11-05"],
  [20261115, "must be a day such as 2026-11-15, or a day and a time such as 2026-11-15 18:30"],
])("%s gets the message that it %s", (written, message) => {
  expect(explain(written)).toBe(message);
});

it.each(["We were wrong.", ["We were wrong."]])(
  "corrections written as %j get an example",
  (written) => {
    expect(corrections.safeParse(written).error?.issues[0]?.message).toContain(
      "{ date: 2026-11-16, text:",
    );
  },
);
