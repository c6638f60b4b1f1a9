import { describe, expect, it } from "vitest";
import { expandDates, ruleExamples } from "../../../../../tests/fixtures/rfc5545-rules.ts";
import { clockOf } from "../../../../lib/zone-clock.ts";
import { ruleStarts } from "./expand-rule.server.ts";
import { localSeconds } from "./local-time.server.ts";

const newYork = "America/New_York";
/** A series whose first event starts at this local time, such as 19970902T090000. */
const series = (start: string) => ({
  start: localSeconds(
    start.replace(/^(....)(..)(..).*/, "$1-$2-$3"),
    start.replace(/^.*T(..)(..).*/, "$1:$2"),
  ),
  clock: clockOf(newYork),
});
const toLocalTime = (instant: Date) =>
  new Intl.DateTimeFormat("sv-SE", { timeZone: newYork, dateStyle: "short", timeStyle: "short" })
    .format(instant)
    .replace(" ", "T");
const yearWindow = (from: number, years = 1) => ({
  from: new Date(`${from}-01-01T00:00:00-05:00`),
  until: new Date(`${from + years}-01-01T00:00:00-05:00`),
});

function listStarts(rule: string, start: string, window = yearWindow(2026), limit = 500): string[] {
  const result = ruleStarts(rule, series(start), window, limit);
  if (!result) throw new Error("The rule cannot be used.");
  return result.starts.map((instant) => instant.toISOString());
}

const [dailyExamples, subDailyExamples] = [
  ruleExamples.filter(({ times }) => times === undefined),
  ruleExamples.filter(({ times }) => times !== undefined),
];

describe("the examples of RFC 5545", () => {
  it.each(dailyExamples)("give the dates that the RFC lists: $rule from $starts", (example) => {
    const { local: expected, isEndless } = expandDates(example);
    const years = Number(expected.at(-1)?.slice(0, 4)) - Number(example.starts.slice(0, 4)) + 1;
    const window = yearWindow(Number(example.starts.slice(0, 4)), years);
    const result = ruleStarts(
      example.rule,
      series(example.starts),
      window,
      expected.length + (isEndless ? 0 : 1),
    );
    expect(result?.starts.map(toLocalTime)).toEqual(expected);
  });

  it("are complete", () => {
    expect(ruleExamples.length).toBe(41);
  });

  it.each(subDailyExamples)("with several times per day are not supported: $rule", (example) => {
    expect(ruleStarts(example.rule, series(example.starts), yearWindow(1997), 500)).toBeNull();
  });
});

describe("when clocks change in New York, a repeating event", () => {
  it("keeps its local time in spring", () => {
    expect(listStarts("FREQ=WEEKLY;COUNT=3", "20260301T090000")).toEqual([
      "2026-03-01T14:00:00.000Z",
      "2026-03-08T13:00:00.000Z",
      "2026-03-15T13:00:00.000Z",
    ]);
  });

  it("keeps its local time in fall", () => {
    expect(listStarts("FREQ=WEEKLY;COUNT=3", "20261025T090000")).toEqual([
      "2026-10-25T13:00:00.000Z",
      "2026-11-01T14:00:00.000Z",
      "2026-11-08T14:00:00.000Z",
    ]);
  });

  it("is skipped, and not counted, on a day when its hour does not exist", () => {
    expect(listStarts("FREQ=DAILY;COUNT=3", "20260307T023000")).toEqual([
      "2026-03-07T07:30:00.000Z",
      "2026-03-09T06:30:00.000Z",
      "2026-03-10T06:30:00.000Z",
    ]);
  });

  it("takes place once, at the earlier time, on a day when its hour exists twice", () => {
    expect(listStarts("FREQ=DAILY;COUNT=3", "20261031T013000")).toEqual([
      "2026-10-31T05:30:00.000Z",
      "2026-11-01T05:30:00.000Z",
      "2026-11-02T06:30:00.000Z",
    ]);
  });

  it("ends on the day in UNTIL", () => {
    expect(listStarts("FREQ=WEEKLY;UNTIL=20261108", "20261101T190000")).toHaveLength(2);
    expect(listStarts("FREQ=WEEKLY;UNTIL=20261107", "20261101T190000")).toHaveLength(1);
    expect(listStarts("FREQ=WEEKLY;UNTIL=20261108T190000", "20261101T190000")).toHaveLength(2);
    expect(listStarts("FREQ=WEEKLY;UNTIL=20261108T185900;WKST=SU", "20261101T190000")).toHaveLength(
      1,
    );
  });
});

describe("a rule with no end or a very distant one", () => {
  it("is cut at the limit", () => {
    expect(
      ruleStarts("FREQ=DAILY", series("19970902T090000"), yearWindow(2026, 50), 400),
    ).toMatchObject({
      isCut: true,
      starts: { length: 400 },
    });
  });

  it.each([
    ["FREQ=DAILY;COUNT=2000000000", 365],
    ["FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30", 0],
    ["FREQ=MONTHLY;BYMONTH=2;BYMONTHDAY=31", 0],
    ["FREQ=WEEKLY;BYMONTH=2;BYDAY=MO;BYSETPOS=5", 0],
    ["FREQ=DAILY;INTERVAL=99999999999999", 0],
    ["FREQ=DAILY;INTERVAL=9999", 0],
  ])("is computed only up to the end of the window: %s", (rule, expected) => {
    const result = ruleStarts(rule, series("19700101T090000"), yearWindow(2026), 400);
    expect(result).toMatchObject({ starts: { length: expected }, isCut: false });
  });
});

describe("a rule that repeats the time of its first event", () => {
  it("has the same dates as without it", () => {
    const rule = "FREQ=DAILY;COUNT=3";
    expect(listStarts(`${rule};BYHOUR=9;BYMINUTE=0;BYSECOND=0`, "20261110T090000")).toEqual(
      listStarts(rule, "20261110T090000"),
    );
  });
});

describe("an invalid rule", () => {
  it.each([
    "",
    "RUBBISH",
    "FREQ=FORTNIGHTLY",
    "FREQ=WEEKLY;INTERVAL=0",
    "FREQ=WEEKLY;BYDAY=XX",
    "FREQ=YEARLY;BYEASTER=0",
    "FREQ=YEARLY;BYWEEKNO=20",
    "FREQ=DAILY;BYHOUR=8",
    "FREQ=DAILY;BYMINUTE=30",
    "FREQ=DAILY;BYHOUR=9;BYSECOND=1",
    "FREQ=DAILY;BYHOUR=99",
  ])("%j is reported as broken", (rule) => {
    expect(ruleStarts(rule, series("20261101T090000"), yearWindow(2026), 10)).toBeNull();
  });
});
