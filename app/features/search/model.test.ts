import { describe, expect, it } from "vitest";
import { countedAs, normaliseQuery, queryLength } from "./model.ts";

describe("a search query", () => {
  it.each([
    [null, ""],
    ["   ", ""],
    ["  crab   cakes \n", "crab cakes"],
    ["a\u0000b", "a b"],
    ["\u202eabc crab", "abc crab"],
    ["<b>Fells Point</b>", "<b>Fells Point</b>"],
  ])("%j is read as %j", (typed, expected) => {
    expect(normaliseQuery(typed)).toBe(expected);
  });

  it("is cut when it is longer than the box takes", () => {
    expect(normaliseQuery("x".repeat(5_000))).toHaveLength(queryLength);
  });

  it("is never cut through the middle of a character", () => {
    expect(normaliseQuery(`${"x".repeat(queryLength - 1)}😀`).isWellFormed()).toBe(true);
  });

  it("is counted once however it is capitalised or composed", () => {
    expect(countedAs("CAFÉ")).toBe(countedAs("cafe\u0301"));
  });
});
