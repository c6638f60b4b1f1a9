import { describe, expect, it } from "vitest";
import { editDistance } from "../../lib/text/nearest.ts";
import { createExcerpt, type Hit, splitAtHits } from "./find/highlight.server.ts";
import { findCodes, splitTerms } from "./find/parse.server.ts";
import {
  formatCount,
  maxQueryLength,
  normalizeQuery,
  parseSearchRequest,
  toQueryKey,
  toSearchPath,
} from "./model.ts";

describe("a search query", () => {
  it.each([
    [null, ""],
    ["   ", ""],
    ["  crab   cakes \n", "crab cakes"],
    ["a\u0000b", "ab"],
    ["\u202eabc crab", "abc crab"],
    ["<b>Fells Point</b>", "<b>Fells Point</b>"],
  ])("%j is read as %j", (typed, expected) => {
    expect(normalizeQuery(typed)).toBe(expected);
  });

  it("is cut if it is too long", () => {
    expect(normalizeQuery("x".repeat(5_000))).toHaveLength(maxQueryLength);
  });

  it("is never cut in the middle of a character", () => {
    expect(normalizeQuery(`${"x".repeat(maxQueryLength - 1)}😀`).isWellFormed()).toBe(true);
  });

  it("has the same key regardless of case and Unicode composition", () => {
    expect(toQueryKey("CAFÉ")).toBe(toQueryKey("cafe\u0301"));
  });
});

describe("a search request", () => {
  it.each([
    ["q=crab&kind=blog&page=3", { query: "crab", kind: "blog", page: 3 }],
    ["q=crab&kind=none&page=0", { query: "crab", kind: null, page: 1 }],
    ["page=1.5", { query: "", kind: null, page: 1 }],
  ])("is read from ?%s, without invalid values", (params, expected) => {
    expect(parseSearchRequest(new URLSearchParams(params))).toEqual(expected);
  });

  it("has a URL from which the same request is read", () => {
    const request = { query: "crab & cakes", kind: "event" as const, page: 2 };
    expect(
      parseSearchRequest(new URL(toSearchPath(request), "http://a.example").searchParams),
    ).toEqual(request);
  });

  it.each([
    ["crab cakes", ["crab", "cakes"]],
    ['the "Trash Wheel" eats', ["the", '"trash wheel"', "eats"]],
    ['"poe"', ['"poe"']],
    ['an "open quote', ["an", "open", "quote"]],
    ["O'Neill | ':* & !", ["o neill"]],
    ["I-95 U.S. AT&T covid-19 - .", ["i 95", "u s", "at t", "covid 19"]],
    ["crab CRAB crab", ["crab"]],
    ["?! … 😀 ❤️ \u0301", []],
  ])("with the query %j has these terms", (query, expected) => {
    const terms = splitTerms(query).map(({ words, isQuoted }) =>
      isQuoted ? `"${words.join(" ")}"` : words.join(" "),
    );
    expect(terms).toEqual(expected);
  });

  it.each([
    ["I-95", ["i95"]],
    ["(I‑95/I-695)", ["i95", "i695"]],
    ["AT&T's, AT&T-backed", ["at&t", "at&t"]],
    ["in the U.S. and D.C.", ["u.s", "d.c"]],
    ["C++, C# and A+ students", ["c++", "c#", "a+"]],
    ["US-40 and B-52s", ["us40", "b52s"]],
    // Longer words and plain numbers can be split at punctuation.
    ["covid-19 up-to-date x-ray T-shirt it's 3-1 2025-04-14 1.5 a+b C+++ and/or", []],
  ])("has the codes in %j as single words", (text, expected) => {
    expect(findCodes(text).map(({ code }) => code)).toEqual(expected);
  });

  it("has at most ten terms of at most forty letters", () => {
    const terms = splitTerms(
      Array.from({ length: 30 }, (_, n) => `${n}${"x".repeat(90)}`).join(" "),
    );
    expect(terms).toHaveLength(10);
    expect(terms.flatMap(({ words }) => words).every((word) => word.length <= 40)).toBe(true);
  });
});

describe("a search result", () => {
  it("is counted up to a thousand", () => {
    expect([0, 999, 1_000, 1_001].map(formatCount)).toEqual(["0", "999", "1,000", "1,000+"]);
  });

  const findCrabs = (text: string): Hit[] =>
    [...text.matchAll(/crab/g)].map(({ index }) => ({ from: index, to: index + 4, term: 0 }));

  it("is shown in full if it is short, and with an ellipsis only where text is omitted", () => {
    const showExcerpt = (text: string) =>
      createExcerpt(text, findCrabs)
        .map((part) => part.text)
        .join("");
    const rest = "and then it goes on and on ".repeat(20).trim();
    expect(showExcerpt("a crab walks")).toBe("a crab walks");
    expect(showExcerpt(`The crab walks, ${rest}`)).toMatch(/^The crab walks, and.* …$/);
    expect(showExcerpt(`${rest} for a crab.`)).toMatch(/^… .* for a crab\.$/);
    expect(showExcerpt(`${rest} past crabs ${rest}`)).toMatch(/^… .* past crabs .* …$/);
    expect(showExcerpt(rest)).toMatch(/^and then.* …$/);
    expect(showExcerpt("")).toBe("");
  });

  it("is split at the matches", () => {
    expect(splitAtHits("a crab walks", findCrabs("a crab walks"))).toEqual([
      { text: "a ", isHit: false },
      { text: "crab", isHit: true },
      { text: " walks", isHit: false },
    ]);
  });

  it.each([
    ["crab", "crab", 0],
    ["crba", "crab", 1],
    ["crb", "crab", 1],
    ["crabb", "crab", 1],
    ["lihgthuose", "lighthouse", 2],
  ])(
    "for the typed word %j is found by %j, which is %i mistakes away",
    (typed, intended, mistakes) => {
      expect(editDistance(typed, intended)).toBe(mistakes);
    },
  );
});
