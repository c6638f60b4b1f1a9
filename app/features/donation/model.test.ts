import { describe, expect, it } from "vitest";
import { frequencies, mayAsk } from "./model.ts";

const firstVisit = { neverAgain: false, shownThisSession: false, lastShown: null };
const now = Date.UTC(2026, 10, 15);
const daysAgo = (days: number) => now - days * 24 * 60 * 60 * 1000;

describe("the donation pop-up", () => {
  it.each(frequencies)("asks a first-time reader when set to %s", (frequency) => {
    expect(mayAsk(frequency, firstVisit, now)).toBe(true);
  });

  it.each(frequencies)(
    "never again asks a reader who chose not to be asked, even when set to %s",
    (frequency) => {
      expect(mayAsk(frequency, { ...firstVisit, neverAgain: true }, now)).toBe(false);
    },
  );

  it("asks on every load or once per session, as set", () => {
    const justShown = { neverAgain: false, shownThisSession: true, lastShown: now };
    expect(mayAsk("every-load", justShown, now)).toBe(true);
    expect(mayAsk("session", justShown, now)).toBe(false);
  });

  it.each([
    ["day", 0.9, false],
    ["day", 1, true],
    ["week", 6, false],
    ["week", 7, true],
    ["month", 29, false],
    ["month", 30, true],
  ] as const)("set to once per %s, asks again after %d days: %s", (frequency, days, expected) => {
    expect(mayAsk(frequency, { ...firstVisit, lastShown: daysAgo(days) }, now)).toBe(expected);
  });
});
