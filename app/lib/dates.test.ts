import { describe, expect, it } from "vitest";
import { calendarDay, longDate } from "./dates.ts";

describe("dates", () => {
  it("a late evening in Baltimore is still that day there, though it is tomorrow in London", () => {
    expect(calendarDay(new Date("2026-11-16T03:30:00Z"), "America/New_York")).toBe("2026-11-15");
  });

  it("a calendar day is written out in long US format, wherever the server stands", () => {
    expect(longDate("2025-04-14")).toBe("April 14, 2025");
  });
});
