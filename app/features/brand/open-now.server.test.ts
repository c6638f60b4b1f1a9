import { expect, it } from "vitest";
import { describeOpening, parseOpeningHours } from "./open-now.server.ts";

const timeZone = "America/New_York";
const describeAt = (hours: string, now: string) =>
  describeOpening(parseOpeningHours(hours) ?? [], new Date(now), timeZone);

it.each([
  ["Monday-Friday 9am-5pm", 5],
  ["Mon–Fri 9:00–17:00", 5],
  ["Mon to Fri 9 am to 5 pm, Sat 10am-noon", 6],
  ["Mondays, Wednesdays 9:30am-5pm; Sunday noon-4pm", 3],
  ["Daily 8am-midnight", 7],
  ["Fri-Mon 10:00-14:00", 4],
])("%s has %i days", (hours, count) => {
  expect(parseOpeningHours(hours)).toHaveLength(count);
});

it.each([
  "By appointment",
  "Monday",
  "Mon 9am",
  "Mon-Fri 25:00-26:00",
  "Funday 9am-5pm",
  "9am-5pm",
  "",
])("%s is a text without hours", (hours) => {
  expect(parseOpeningHours(hours)).toBeNull();
});

it.each([
  ["2026-11-18T13:59:59Z", "Closed now, opens today 9\u00a0AM", "2026-11-18T14:00:00.000Z"],
  ["2026-11-18T14:00:00Z", "Open now, until 5\u00a0PM", "2026-11-18T22:00:00.000Z"],
  ["2026-11-18T21:59:59Z", "Open now, until 5\u00a0PM", "2026-11-18T22:00:00.000Z"],
  ["2026-11-18T22:00:00Z", "Closed now, opens tomorrow 9\u00a0AM", "2026-11-19T05:00:00.000Z"],
  ["2026-11-21T12:00:00Z", "Closed now, opens Monday 9\u00a0AM", "2026-11-22T05:00:00.000Z"],
])("at %s, a weekday office says %s until %s", (now, text, changesAt) => {
  expect(describeAt("Monday-Friday 9am-5pm", now)).toEqual({
    text,
    changesAt: new Date(changesAt),
  });
});

it("a place that closes after midnight is open on the next day", () => {
  expect(describeAt("Fri-Sat 8pm-2:30am", "2026-11-21T06:00:00Z")?.text).toBe(
    "Open now, until 2:30\u00a0AM",
  );
});
