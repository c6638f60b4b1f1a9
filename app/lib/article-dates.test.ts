import { describe, expect, it } from "vitest";
import { describeDates } from "./article-dates.ts";

const describeIn = (date: string, updated?: string, corrections: string[] = []) =>
  describeDates(
    { date, updated, corrections: corrections.map((day) => ({ date: day, text: "It was 5." })) },
    "America/New_York",
    new Date("2026-12-01T12:00:00Z"),
  );

describe("the dates of an article", () => {
  it.each([
    ["2026-11-15", undefined, null],
    ["2026-11-15", "2026-11-15", null],
    ["2026-11-15", "2026-11-14", null],
    ["2026-11-15 09:00", "2026-11-15 09:59", null],
    ["2026-11-15 09:00", "2026-11-15 10:00", null],
    ["2026-11-15 09:00", "2026-11-15 10:01", "10:01 AM"],
    ["2026-11-15T09:00:00", "2026-11-15 18:30", "6:30 PM"],
    ["2026-11-15 23:30", "2026-11-16 01:30", "November 16, 2026"],
    ["2026-11-15", "2026-11-17", "November 17, 2026"],
  ])("published on %s and updated on %s: shows the update %s", (date, updated, shown) => {
    const dates = describeIn(date, updated);
    expect(dates?.published.text).toBe("November 15, 2026");
    expect(dates?.updated?.text ?? null).toBe(shown);
  });

  it("has the time for machines only if one is written", () => {
    expect(describeIn("2026-11-15")?.published.iso).toBe("2026-11-15");
    expect(describeIn("2026-11-15 18:30")?.published.iso).toBe("2026-11-15T18:30:00-05:00");
    expect(describeIn("2026-11-16T03:30:00Z")?.published).toEqual({
      text: "November 15, 2026",
      iso: "2026-11-15T22:30:00-05:00",
    });
  });

  it("counts a correction as a change, and lists the newest correction first", () => {
    const dates = describeIn("2026-11-15", "2026-11-16", ["2026-11-17", "2026-11-20 08:00"]);
    expect(dates?.modifiedAt).toEqual(new Date("2026-11-20T13:00:00Z"));
    expect(dates?.updated?.text).toBe("November 20, 2026");
    expect(dates?.corrections.map(({ date }) => date.text)).toEqual([
      "November 20, 2026",
      "November 17, 2026",
    ]);
  });

  it("has a change after the publication if both are on the same day", () => {
    const dates = describeIn("2026-11-15 09:00", undefined, ["2026-11-15"]);
    expect(dates?.modifiedAt).toEqual(new Date("2026-11-15T14:01:00Z"));
    expect(dates?.updated).toBeNull();
  });

  it("do not include a change or a correction that is still to come", () => {
    const dates = describeIn("2026-11-15", "2026-12-24", ["2026-11-16", "2026-12-02"]);
    expect(dates?.modifiedAt).toEqual(new Date("2026-11-16T05:00:00Z"));
    expect(dates?.corrections).toHaveLength(1);
  });

  it("is missing if the date is not a date", () => {
    expect(describeIn("soon")).toBeNull();
  });
});
