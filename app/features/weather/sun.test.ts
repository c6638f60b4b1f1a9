import { describe, expect, it } from "vitest";
import { computeSunTimes } from "./sun.ts";

const baltimore = { latitude: 39.2904, longitude: -76.6122 };
const sydney = { latitude: -33.87, longitude: 151.21 };

describe("sunrise and sunset", () => {
  // Computed with the longer formulas of NOAA's solar calculator.
  it.each([
    ["2026-01-01", baltimore, "07:26:14-05:00", "16:54:07-05:00"],
    ["2026-03-20", baltimore, "07:09:46-04:00", "19:18:30-04:00"],
    ["2026-06-21", baltimore, "05:40:06-04:00", "20:36:31-04:00"],
    ["2026-11-18", baltimore, "06:53:23-05:00", "16:49:29-05:00"],
    ["2026-06-21", sydney, "06:59:57+10:00", "16:53:49+10:00"],
  ])("of %s at %o are right to a minute", (day, place, rise, set) => {
    const times = computeSunTimes(day, place);
    const differences = [
      (times?.rise.getTime() ?? 0) - Date.parse(`${day}T${rise}`),
      (times?.set.getTime() ?? 0) - Date.parse(`${day}T${set}`),
    ];
    for (const difference of differences) expect(Math.abs(difference)).toBeLessThan(60_000);
  });

  it("do not exist in a polar night and on a polar day", () => {
    const tromso = { latitude: 69.65, longitude: 18.96 };
    expect(computeSunTimes("2026-12-21", tromso)).toBeNull();
    expect(computeSunTimes("2026-06-21", tromso)).toBeNull();
  });
});
