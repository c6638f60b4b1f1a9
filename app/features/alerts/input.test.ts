import { describe, expect, it } from "vitest";
import { describeEnd, describeTimes } from "./describe.ts";
import { checkLink, checkText, checkUntil } from "./input.ts";

const timeZone = "America/New_York";
const until = (typed: string, now: string) => {
  const checked = checkUntil(typed, new Date(now), timeZone);
  return checked.ok ? checked.value.toISOString() : checked.message;
};

describe("the end of an alert", () => {
  it.each([
    ["18:00", "2026-11-18T17:00:00Z", "2026-11-18T23:00:00.000Z"],
    ["6pm", "2026-11-18T17:00:00Z", "2026-11-18T23:00:00.000Z"],
    ["6:30 PM", "2026-11-18T17:00:00Z", "2026-11-18T23:30:00.000Z"],
    ["12 am", "2026-11-18T17:00:00Z", "2026-11-19T05:00:00.000Z"],
    ["Midnight", "2026-11-18T17:00:00Z", "2026-11-19T05:00:00.000Z"],
    ["24:00", "2026-11-18T17:00:00Z", "2026-11-19T05:00:00.000Z"],
    ["noon", "2026-11-18T18:00:00Z", "2026-11-19T17:00:00.000Z"],
    ["2026-11-20 6 pm", "2026-11-18T17:00:00Z", "2026-11-20T23:00:00.000Z"],
    // Past midnight, and at the very minute: the next one is tomorrow.
    ["01:30", "2026-11-19T04:30:00Z", "2026-11-19T06:30:00.000Z"],
    ["12:00", "2026-11-18T17:00:00Z", "2026-11-19T17:00:00.000Z"],
    ["11:59", "2026-11-18T17:00:00Z", "2026-11-19T16:59:00.000Z"],
    ["2026-11-20 18:00", "2026-11-18T17:00:00Z", "2026-11-20T23:00:00.000Z"],
    // In spring 2:30 does not come.
    ["02:30", "2026-03-08T06:00:00Z", "2026-03-08T07:30:00.000Z"],
  ])("%s, typed at %s, is %s", (typed, now, expected) => {
    expect(until(typed, now)).toBe(expected);
  });

  it.each([
    ["soon", "is not a time"],
    ["25:00", "is not a time"],
    ["18", "is not a time"],
    ["13 pm", "is not a time"],
    ["2026-02-30 18:00", "is not a time"],
    ["2026-11-18 11:00", "is in the past"],
    ["2036-11-18 11:00", "is too far away"],
  ])("%s gets a sentence", (typed, message) => {
    expect(until(typed, "2026-11-18T17:00:00Z")).toContain(message);
  });
});

it.each([
  ["2026-11-18T23:00:00Z", "November 18, 12:00 PM to 6:00 PM", "Until Nov 18, 6:00 PM"],
  ["2026-11-19T05:00:00Z", "November 18, 12:00 PM to midnight", "Until Nov 18, midnight"],
  [
    "2026-11-20T05:01:00Z",
    "November 18, 12:00 PM to November 20, 12:01 AM",
    "Until Nov 20, 12:01 AM",
  ],
])("an alert that ends at %s says so", (end, times, until) => {
  const startsAt = new Date("2026-11-18T17:00:00Z");
  const alert = { startsAt, endsAt: new Date(end), issuer: "official" } as const;
  const authority = ", National Weather Service";
  expect(describeTimes(alert, timeZone)).toBe(times + authority);
  expect(describeEnd(alert, timeZone)).toBe(until + authority);
});

it("the text is one short line, and the link leads to a page", () => {
  expect(checkText("  Water\n main 'break' ")).toEqual({ ok: true, value: "Water main ‘break’" });
  expect(checkText(" ")).toMatchObject({ ok: false });
  expect(checkText("x".repeat(281))).toMatchObject({ ok: false });
  expect(checkLink("")).toEqual({ ok: true, value: null });
  expect(checkLink("/news/water?a=1#b")).toMatchObject({ ok: true });
  expect(checkLink("https://example.com")).toMatchObject({ value: "https://example.com/" });
  for (const link of ["news", "//example.com", "javascript:alert(1)", "/a b"])
    expect(checkLink(link)).toMatchObject({ ok: false });
});
