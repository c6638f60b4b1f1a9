import { expect, it } from "vitest";
import { describeAge } from "./time-ago.tsx";

it.each([
  ["2026-11-15T12:00:00Z", "just now"],
  ["2026-11-15T11:48:30Z", "12 min ago"],
  ["2026-11-15T11:00:31Z", "59 min ago"],
  ["2026-11-15T11:00:00Z", "1 hr ago"],
  ["2026-11-14T12:00:31Z", "23 hr ago"],
  ["2026-11-14T12:00:00Z", "1 day ago"],
  ["2026-11-08T12:00:31Z", "6 days ago"],
  ["2026-11-08T12:00:00Z", null],
  ["2026-11-15T12:01:00Z", null],
])("a headline of %s is from %s", (iso, age) => {
  expect(describeAge(new Date(iso), new Date("2026-11-15T12:00:30Z"))).toBe(age);
});
