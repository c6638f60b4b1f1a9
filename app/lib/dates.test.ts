import { describe, expect, it } from "vitest";
import {
  addDays,
  calendarDay,
  calendarYear,
  instantAt,
  localTimestamp,
  longDate,
  nextMidnight,
  writtenInstant,
} from "./dates.ts";

describe("dates:", () => {
  it("a late evening in Baltimore belongs to that day, although it is already tomorrow in London", () => {
    expect(calendarDay(new Date("2026-11-16T03:30:00Z"), "America/New_York")).toBe("2026-11-15");
  });

  it("the year in Baltimore changes five hours after the year in London", () => {
    expect(calendarYear(new Date("2027-01-01T04:59:59Z"), "America/New_York")).toBe(2026);
    expect(calendarYear(new Date("2027-01-01T05:00:00Z"), "America/New_York")).toBe(2027);
  });

  it.each([
    ["2026-11-15", "2026-11-15T05:00:00.000Z"],
    ["2026-11-15 18:30", "2026-11-15T23:30:00.000Z"],
    ["2026-07-01T18:30:00", "2026-07-01T22:30:00.000Z"],
    ["2026-11-15T18:30:00+01:00", "2026-11-15T17:30:00.000Z"],
    ["2026-11-15T18:30:00.000Z", "2026-11-15T18:30:00.000Z"],
    ["November 15, 2026", "2026-11-15T05:00:00.000Z"],
    ["Sun, 15 Nov 2026 18:30:00 GMT", "2026-11-15T18:30:00.000Z"],
    ["Sun, 15 Nov 2026 18:30:00 -0500", "2026-11-15T23:30:00.000Z"],
    ["11/15/2026 6:30 PM", "2026-11-15T23:30:00.000Z"],
  ])("%s in Baltimore is the instant %s", (written, instant) => {
    expect(writtenInstant(written, "America/New_York").toISOString()).toBe(instant);
  });

  it("a calendar day is written in long US format, regardless of the server's time zone", () => {
    expect(longDate("2025-04-14")).toBe("April 14, 2025");
  });

  it.each([
    ["2026-11-20T23:30:00Z", "America/New_York", "2026-11-20T18:30:00-05:00"],
    ["2026-07-05T01:00:00Z", "America/New_York", "2026-07-04T21:00:00-04:00"],
    ["2026-11-20T23:30:00Z", "America/St_Johns", "2026-11-20T20:00:00-03:30"],
    ["2026-11-20T23:30:00Z", "Asia/Kolkata", "2026-11-21T05:00:00+05:30"],
    ["2026-11-20T23:30:00Z", "UTC", "2026-11-20T23:30:00+00:00"],
  ])("%s is formatted for machines in %s as %s", (instant, zone, written) => {
    expect(localTimestamp(new Date(instant), zone)).toBe(written);
  });

  it("adding days crosses the ends of months and years", () => {
    expect(addDays("2026-12-30", 3)).toBe("2027-01-02");
    expect(addDays("2028-03-01", -1)).toBe("2028-02-29");
  });

  it.each([
    ["2026-07-04", "21:00", "2026-07-05T01:00:00.000Z"],
    ["2026-12-05", "17:30", "2026-12-05T22:30:00.000Z"],
    ["2027-03-14", "01:59", "2027-03-14T06:59:00.000Z"],
    ["2027-03-14", "02:30", "2027-03-14T07:30:00.000Z"],
    ["2027-03-14", "03:00", "2027-03-14T07:00:00.000Z"],
    ["2026-11-01", "03:00", "2026-11-01T08:00:00.000Z"],
  ])("when it is %s %s in Baltimore, it is %s", (day, time, instant) => {
    expect(instantAt(day, time, "America/New_York").toISOString()).toBe(instant);
  });

  it("a time that the clocks skip is after the change, east of London too", () => {
    expect(instantAt("2027-03-28", "02:30", "Europe/Berlin").toISOString()).toBe(
      "2027-03-28T01:30:00.000Z",
    );
  });

  it("the day ends at local midnight, even if it has 23 or 25 hours", () => {
    const endOfDay = (now: string) => nextMidnight(new Date(now), "America/New_York").toISOString();
    expect(endOfDay("2026-11-15T17:00:00Z")).toBe("2026-11-16T05:00:00.000Z");
    expect(endOfDay("2026-11-01T05:00:00Z")).toBe("2026-11-02T05:00:00.000Z");
    expect(endOfDay("2027-03-14T06:00:00Z")).toBe("2027-03-15T04:00:00.000Z");
  });
});
