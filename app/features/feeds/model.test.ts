import { expect, it } from "vitest";
import { addDays } from "../../lib/dates.ts";
import { rotateDaily, withLimit } from "./model.ts";
import { summarize } from "./pages/status-page.tsx";

it.each([
  ["https://w.example/feed", "https://w.example/feed?limit=5"],
  ["https://w.example/feed?id=3", "https://w.example/feed?id=3&limit=5"],
  ["https://w.example/feed?limit=20&id=3", "https://w.example/feed?limit=5&id=3"],
  [
    "https://w.example/feed?id=a%20b+c&limit=1&limit=2#top",
    "https://w.example/feed?id=a%20b+c&limit=5#top",
  ],
  ["https://w.example/feed?nolimit=1", "https://w.example/feed?nolimit=1&limit=5"],
  ["https://w.example/feed?", "https://w.example/feed?limit=5"],
])(
  "a collapsed widget at %s gets a limit, and the rest of its URL stays the same",
  (url, limited) => {
    expect(withLimit(url, 5)).toBe(limited);
  },
);

it("good-to-know items keep their order all day, and the next day begins with another item", () => {
  for (const count of [1, 4, 5, 9, 10]) {
    const items = Array.from({ length: count }, (_, index) => index);
    for (let day = "2026-12-28"; day < "2027-01-10"; day = addDays(day, 1)) {
      const today = rotateDaily(items, day, 5);
      expect(rotateDaily(items, day, 5)).toEqual(today);
      expect(today.toSorted((a, b) => a - b)).toEqual(items);
      const tomorrow = rotateDaily(items, addDays(day, 1), 5);
      if (count > 1) expect(tomorrow[0]).not.toBe(today[0]);
      if (count > 9)
        expect(tomorrow.slice(0, 5).some((item) => today.slice(0, 5).includes(item))).toBe(false);
    }
  }
  expect(rotateDaily([], "2026-12-28", 5)).toEqual([]);
});

it.each([
  ["All 2 sources are fine.", ["good", "good"]],
  ["1 of 3 sources needs attention.", ["good", "failing", "not-asked-yet"]],
  ["2 of 3 sources need attention.", ["failing", "failing", "good"]],
  ["1 of 1 source needs attention.", ["failing"]],
  ["Our 1 source is fine.", ["good"]],
  ["We have not checked our 2 sources yet.", ["not-asked-yet", "not-asked-yet"]],
  [
    "2 of 3 sources are fine. We have not checked the others yet.",
    ["good", "good", "not-asked-yet"],
  ],
  ["No sources are set up yet.", []],
] as const)("the status page begins with: %s", (sentence, states) => {
  expect(summarize(states.map((state) => ({ state })))).toBe(sentence);
});
