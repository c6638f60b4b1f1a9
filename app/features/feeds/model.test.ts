import { expect, it } from "vitest";
import { withLimit } from "./model.ts";

it.each([
  ["https://w.example/feed", "https://w.example/feed?limit=5"],
  ["https://w.example/feed?id=3", "https://w.example/feed?id=3&limit=5"],
  ["https://w.example/feed?limit=20&id=3", "https://w.example/feed?limit=5&id=3"],
  ["https://w.example/feed?id=a%20b+c&limit=1&limit=2#top", "https://w.example/feed?id=a%20b+c&limit=5#top"],
  ["https://w.example/feed?nolimit=1", "https://w.example/feed?nolimit=1&limit=5"],
  ["https://w.example/feed?", "https://w.example/feed?limit=5"],
])("a collapsed widget at %s gets a limit, and the rest of its address stays as it was", (given, limited) => {
  expect(withLimit(given, 5)).toBe(limited);
});
