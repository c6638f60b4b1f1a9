import { describe, expect, it } from "vitest";
import { continueVisit, describePastTime, mergeVisits, visitGapMs } from "./visits.ts";

const noon = new Date(2026, 10, 16, 12).getTime();
const minuteMs = 60 * 1000;

describe("visits", () => {
  it("marks nothing on a first visit, however long it takes", () => {
    let visits = continueVisit(null, noon);
    for (let minutes = 10; minutes < 120; minutes += 10)
      visits = continueVisit(visits, noon + minutes * minuteMs);
    expect(visits).toEqual({ activeAt: noon + 110 * minuteMs, previousEnd: null });
  });

  it("end after 30 minutes without activity, and the next one marks what is newer", () => {
    const first = continueVisit(null, noon);
    const returned = continueVisit(first, noon + visitGapMs + 1);
    expect(returned.previousEnd).toBe(noon);
    expect(continueVisit(returned, noon + visitGapMs + 5 * minuteMs).previousEnd).toBe(noon);
  });

  it("continue when the clock was set back", () => {
    const visits = { activeAt: noon, previousEnd: noon - 1 };
    expect(continueVisit(visits, noon - 90 * minuteMs).previousEnd).toBe(noon - 1);
  });

  it("are the same in two tabs: the later activity counts", () => {
    const earlier = { activeAt: noon, previousEnd: 1 };
    const later = { activeAt: noon + 1, previousEnd: 2 };
    expect(mergeVisits(earlier, later, noon + 1)).toBe(later);
    expect(mergeVisits(later, earlier, noon + 1)).toBe(later);
    expect(mergeVisits(null, earlier, noon + 1)).toBe(earlier);
    expect(mergeVisits(earlier, null, noon + 1)).toBe(earlier);
  });

  it("go on after a visit whose clock was a year ahead", () => {
    const stored = { activeAt: noon + 365 * 24 * 60 * minuteMs, previousEnd: noon - 1 };
    const visits = continueVisit(mergeVisits(null, stored, noon), noon);
    expect(visits).toEqual({ activeAt: noon, previousEnd: noon - 1 });
    const merged = mergeVisits(visits, stored, noon + minuteMs);
    expect(merged).toBe(visits);
    expect(continueVisit(merged, noon + visitGapMs + 1).previousEnd).toBe(noon);
  });
});

describe("the time of the last visit", () => {
  it.each([
    [new Date(2026, 10, 16, 9, 5), "today 9:05 AM"],
    [new Date(2026, 10, 15, 18, 10), "yesterday 6:10 PM"],
    [new Date(2026, 10, 13, 23, 59), "Friday 11:59 PM"],
    [new Date(2026, 10, 9, 8), "Nov 9"],
  ])("%s is called %s", (time, text) => {
    expect(describePastTime(time.getTime(), noon).replaceAll("\u202f", " ")).toBe(text);
  });
});
