import { describe, expect, it } from "vitest";
import { frequencies, mayAsk } from "./model.ts";

const firstVisit = { neverAgain: false, shownThisSession: false, lastShown: null, donatedAt: null };
const always = { frequency: "every-load", from: null, until: null } as const;
const now = Date.UTC(2026, 10, 15);
const daysAgo = (days: number) => now - days * 24 * 60 * 60 * 1000;

describe("the donation pop-up", () => {
  it.each(frequencies)("asks a first-time reader when set to %s", (frequency) => {
    expect(mayAsk({ frequency, from: null, until: null }, firstVisit, now)).toBe(true);
  });

  it.each(frequencies)(
    "never again asks a reader who chose not to be asked, even when set to %s",
    (frequency) => {
      expect(
        mayAsk({ frequency, from: null, until: null }, { ...firstVisit, neverAgain: true }, now),
      ).toBe(false);
    },
  );

  it("asks on every load or once per session, as set", () => {
    const justShown = {
      neverAgain: false,
      shownThisSession: true,
      lastShown: now,
      donatedAt: null,
    };
    expect(mayAsk(always, justShown, now)).toBe(true);
    expect(mayAsk({ frequency: "session", from: null, until: null }, justShown, now)).toBe(false);
  });

  it.each([
    ["day", 0.9, false],
    ["day", 1, true],
    ["week", 6, false],
    ["week", 7, true],
    ["month", 29, false],
    ["month", 30, true],
  ] as const)("set to once per %s, asks again after %d days: %s", (frequency, days, expected) => {
    expect(
      mayAsk(
        { frequency, from: null, until: null },
        { ...firstVisit, lastShown: daysAgo(days) },
        now,
      ),
    ).toBe(expected);
  });

  it("does not ask a reader who pressed Donate Now for 90 days", () => {
    expect(mayAsk(always, { ...firstVisit, donatedAt: daysAgo(89) }, now)).toBe(false);
    expect(mayAsk(always, { ...firstVisit, donatedAt: daysAgo(90) }, now)).toBe(true);
  });

  it("asks only during a campaign, if there is one", () => {
    const mayAskAt = (time: number) =>
      mayAsk({ ...always, from: now, until: now + 1_000 }, firstVisit, time);
    expect([now - 1, now, now + 999, now + 1_000].map(mayAskAt)).toEqual([
      false,
      true,
      true,
      false,
    ]);
  });
});
