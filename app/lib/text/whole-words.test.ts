import { expect, it } from "vitest";
import { createWordMatcher } from "./whole-words.ts";

it.each([
  ["Hampden", "Fire in Hampden displaces a family", true],
  ["Hampden", "HAMPDEN’S new bakery", true],
  ["Hampden", "Hampden: a walk", true],
  ["Hampden", "Hampdenite of the year", false],
  ["Canton", "Cantonese cooking class", false],
  ["Mt. Vernon", "Jazz in Mt Vernon tonight", true],
  ["Mount Vernon", "Mount\n Vernon", true],
  ["Fell's Point", "Ships at Fell’s Point", true],
  ["Café Row", "A morning at CAFE ROW", true],
  ["Cafe Row", "A morning at Café\u0301 Row", true],
  ["Ünion", "union", true],
  ["Hampden", "", false],
])("the word %s in %j: %s", (word, text, isFound) => {
  expect(createWordMatcher([word])(text)).toBe(isFound);
});

it("a word without letters or digits is found nowhere, not everywhere", () => {
  expect(createWordMatcher(["", "…"])("anything")).toBe(false);
  expect(createWordMatcher([])("anything")).toBe(false);
});

it("only the beginning of a long text is searched, so that its length does not matter", () => {
  const matches = createWordMatcher(["a ".repeat(29), "hampden"]);
  expect(matches(`Hampden ${"a ".repeat(5_000_000)}`)).toBe(true);
  expect(matches(`${"a-".repeat(5_000_000)} hampden`)).toBe(true);
  expect(matches(`${"\u0301".repeat(5_000_000)} hampden`)).toBe(false);
});
