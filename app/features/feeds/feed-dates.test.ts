import { describe, expect, it } from "vitest";
import { parseFeedDate } from "./feed-dates.ts";
import { formatTime } from "./listing/select.server.ts";

describe("a date in a feed", () => {
  it.each([
    ["Sat, 14 Nov 2026 10:00:00 GMT", "2026-11-14T10:00:00Z"],
    ["Sat, 14 Nov 2026 10:00:00 -0500", "2026-11-14T15:00:00Z"],
    ["Sat, 14 Nov 2026 10:00 EST", "2026-11-14T15:00:00Z"],
    ["14 November 2026 10:00:00 +0100", "2026-11-14T09:00:00Z"],
    ["Saturday, 14 Nov 2026 10:00:00 Z", "2026-11-14T10:00:00Z"],
    ["Sun, 14 Nov 2026 10:00:00 GMT", "2026-11-14T10:00:00Z"],
    ["Sat,  14  Nov  2026  10:00:00  GMT", "2026-11-14T10:00:00Z"],
    ["Sat, 14 Nov 2026 10:00:00 BST", "2026-11-14T09:00:00Z"],
    ["3/4/2026 3:04 PM", "2026-03-04T15:04:00Z"],
    ["Sat, 5 Sept 2026 08:00:00 PDT", "2026-09-05T15:00:00Z"],
    ["2026-11-14T10:00:00Z", "2026-11-14T10:00:00Z"],
    ["2026-11-14T10:00:00.123456+02:00", "2026-11-14T08:00:00Z"],
    ["2026-11-14T10:00:00-0500", "2026-11-14T15:00:00Z"],
    ["2026-11-14 10:00:00", "2026-11-14T10:00:00Z"],
    ["2026-11-14T10:00:00", "2026-11-14T10:00:00Z"],
    ["2026-11-14T10:00Z", "2026-11-14T10:00:00Z"],
    ["Sat Nov 14 10:00:00 2026", "2026-11-14T10:00:00Z"],
    ["Sat Nov 14 10:00:00 EST 2026", "2026-11-14T15:00:00Z"],
    ["November 14, 2026 3:04 PM", "2026-11-14T15:04:00Z"],
    ["Nov 14, 2026 at 12:30 a.m. EST", "2026-11-14T05:30:00Z"],
    ["14-Nov-2026 10:00:00", "2026-11-14T10:00:00Z"],
    ["11/14/2026 3:04 PM", "2026-11-14T15:04:00Z"],
    ["1794650400", "2026-11-14T10:00:00Z"],
    ["1794650400000", "2026-11-14T10:00:00Z"],
    ["Sat, 14 Nov 2026 24:00:00 GMT", "2026-11-15T00:00:00Z"],
    ["Sat, 14 Nov 2026 10:00:00 GMT+0100", "2026-11-14T09:00:00Z"],
    ["Sat, 14 Nov 2026 10:00:00 +0000 (UTC)", "2026-11-14T10:00:00Z"],
    ["Sat,14 Nov 2026 18:28:36 -0000", "2026-11-14T18:28:36Z"],
    ["Sat, 14 Nov 2026 10:00:00 +0000 UTC", "2026-11-14T10:00:00Z"],
    ["2026-11-14 10:00:00.123456789 +0100 CET", "2026-11-14T09:00:00Z"],
    ["Sat, 11/14/2026 - 10:00", "2026-11-14T10:00:00Z"],
    ["Sat Nov 14 2026 10:00:00 GMT-0500 (Eastern Standard Time)", "2026-11-14T15:00:00Z"],
    ["Sat Nov 14 10:00:00 +0000 2026", "2026-11-14T10:00:00Z"],
    ["Sat, 2026/11/14 08:19:53 EST", "2026-11-14T13:19:53Z"],
    ["2026-1-4 9:15", "2026-01-04T09:15:00Z"],
    ["2026-11-14, 10:00:00", "2026-11-14T10:00:00Z"],
    ["Tue, 11/03/2026 08:00", "2026-11-03T08:00:00Z"],
  ])("written as %s is read as %s", (written, expected) => {
    expect(parseFeedDate(written)?.toISOString()).toBe(expected.replace("Z", ".000Z"));
  });

  it.each([
    "2026-11-14",
    "November 14, 2026",
    "Saturday 14 November 2026",
    "14 Nov 2026 GMT",
    "2026-11-14Z",
  ])("written as %s is read as a day without a time", (written) => {
    const day = parseFeedDate(written) ?? new Date(0);
    expect(formatTime(day, "America/New_York", { withYear: true })).toEqual({
      iso: "2026-11-14",
      shown: "Nov 14, 2026",
    });
    expect(formatTime(day, "Pacific/Auckland").shown).toBe("Nov 14");
    const noon = parseFeedDate("2026-11-14T12:00:00Z") ?? new Date(0);
    expect(formatTime(noon, "America/New_York").shown).toBe("Nov 14, 7:00 AM");
  });

  it.each([
    "",
    "yesterday",
    "2026-13-01T00:00:00Z",
    "Sat, 14 Nov 2026 25:00:00 GMT",
    "Sat, 14 Foo 2026 10:00:00 GMT",
    "0000-00-00T00:00:00Z",
    "0001-01-01T00:00:00Z",
    "13:37",
    "NaN",
    "14 ноября 2026 10:00",
    "14".repeat(500),
    "November 14, 2026 at 13pm",
    "November 14, 2026 soon",
    "Sat, 14 Nov 2026 10:00:00 Mars/Olympus",
    "2026-11-14T10:00:61Z",
    "2026-11-14-01",
    "2026-11-14T10:00:00+00:xx",
    "22013",
    "1850",
    "Nov 14 10:00",
    "2026-11-14T10:00:00+99:99",
    "Sat, 14 Nov 2026 10:00:00 XYZ",
  ])("that cannot be read (%s) gives null, not a guess", (written) => {
    expect(parseFeedDate(written)).toBeNull();
  });
});
