import { describe, expect, it } from "vitest";
import { feedDate } from "./feed-dates.ts";
import { shownTime } from "./select.server.ts";

describe("a date in a feed", () => {
  it.each([
    ["Sat, 14 Nov 2026 10:00:00 GMT", "2026-11-14T10:00:00Z"],
    ["Sat, 14 Nov 2026 10:00:00 -0500", "2026-11-14T15:00:00Z"],
    ["Sat, 14 Nov 2026 10:00 EST", "2026-11-14T15:00:00Z"],
    ["Sat, 14 Nov 26 10:00:00 EDT", "2026-11-14T14:00:00Z"],
    ["14 November 2026 10:00:00 +0100", "2026-11-14T09:00:00Z"],
    ["Saturday, 14 Nov 2026 10:00:00 Z", "2026-11-14T10:00:00Z"],
    ["Sun, 14 Nov 2026 10:00:00 GMT", "2026-11-14T10:00:00Z"],
    ["Sat,  14  Nov  2026  10:00:00  GMT", "2026-11-14T10:00:00Z"],
    ["Sat, 5 Sept 2026 08:00:00 PDT", "2026-09-05T15:00:00Z"],
    ["2026-11-14T10:00:00Z", "2026-11-14T10:00:00Z"],
    ["2026-11-14T10:00:00.123456+02:00", "2026-11-14T08:00:00Z"],
    ["2026-11-14T10:00:00-0500", "2026-11-14T15:00:00Z"],
    ["2026-11-14 10:00:00", "2026-11-14T10:00:00Z"],
    ["2026-11-14T10:00Z", "2026-11-14T10:00:00Z"],
    ["20261114T100000Z", "2026-11-14T10:00:00Z"],
    ["Sat Nov 14 10:00:00 2026", "2026-11-14T10:00:00Z"],
    ["Sat Nov 14 10:00:00 EST 2026", "2026-11-14T15:00:00Z"],
    ["November 14, 2026 3:04 PM", "2026-11-14T15:04:00Z"],
    ["Nov 14, 2026 at 12:30 a.m. EST", "2026-11-14T05:30:00Z"],
    ["14-Nov-2026 10:00:00", "2026-11-14T10:00:00Z"],
    ["11/14/2026 3:04 PM", "2026-11-14T15:04:00Z"],
    ["14.11.2026 15:04", "2026-11-14T15:04:00Z"],
    ["Sa, 14 Dez 2026 10:00:00 +0100", "2026-12-14T09:00:00Z"],
    ["sam. 14 août 2026 10:00:00 +0200", "2026-08-14T08:00:00Z"],
    ["1794650400", "2026-11-14T10:00:00Z"],
    ["1794650400000", "2026-11-14T10:00:00Z"],
    ["Sat, 14 Nov 2026 24:00:00 GMT", "2026-11-15T00:00:00Z"],
    ["Sat, 14 Nov 2026 10:00:60 GMT", "2026-11-14T10:00:59Z"],
    ["Sat, 14 Nov 2026 10:00:00 GMT+0100", "2026-11-14T09:00:00Z"],
    ["Sat, 14 Nov 2026 10:00:00 +0000 (UTC)", "2026-11-14T10:00:00Z"],
    ["Nov 14, 2026 3:04 PM ET", "2026-11-14T20:04:00Z"],
    ["July 14, 2026 3:04 PM ET", "2026-07-14T19:04:00Z"],
  ])("written as %s is %s", (written, meant) => {
    expect(feedDate(written)?.toISOString()).toBe(meant.replace("Z", ".000Z"));
  });

  it.each(["2026-11-14", "20261114", "November 14, 2026", "14 de noviembre de 2026"])(
    "written as %s is only a day, and has no time",
    (written) => {
      const day = feedDate(written) ?? new Date(0);
      expect(shownTime(day, "America/New_York", true)).toEqual({ iso: "2026-11-14", shown: "Nov 14, 2026" });
      expect(shownTime(day, "Pacific/Auckland").shown).toBe("Nov 14");
      const noon = feedDate("2026-11-14T12:00:00Z") ?? new Date(0);
      expect(shownTime(noon, "America/New_York").shown).toBe("Nov 14, 7:00 AM");
    },
  );

  it.each([
    "",
    "yesterday",
    "2026-02-30",
    "2026-13-01T00:00:00Z",
    "Sat, 31 Nov 2026 10:00:00 GMT",
    "Sat, 14 Nov 2026 25:00:00 GMT",
    "Sat, 14 Foo 2026 10:00:00 GMT",
    "03/04/2026",
    "0000-00-00T00:00:00Z",
    "0001-01-01T00:00:00Z",
    "13:37",
    "NaN",
    "14".repeat(500),
    "November 14, 2026 at 3pm",
    "2026-11-14T10:00:00+99:99",
    "Sat, 14 Nov 2026 10:00:00 XYZ",
  ])("that cannot be read (%s) is not made up", (written) => {
    expect(feedDate(written)).toBeNull();
  });
});
