import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { neighborhoodsFile } from "./files.server.ts";
import { createPlaceMatcher } from "./match.server.ts";

const readMessages = (source: string) => {
  const parsed = neighborhoodsFile.parse(source);
  return parsed.ok
    ? []
    : parsed.problems.map(({ line, field, message }) => `${line} ${field} ${message}`);
};

it("a city may have no file, or one with only comments", () => {
  expect(neighborhoodsFile.whenMissing?.value).toEqual([]);
  expect(neighborhoodsFile.parse("# None yet.\n")).toEqual({ ok: true, value: [] });
});

it("a name is enough: its URL and its word are made from it", () => {
  expect(neighborhoodsFile.parse("- name: Café Row\n")).toEqual({
    ok: true,
    value: [{ name: "Café Row", slug: "cafe-row", words: ["Café Row"], excluded: [] }],
  });
});

describe("editors get a message with the line and the correction for", () => {
  it.each([
    ["two with the same URL", "- name: Hampden\n- name: HAMPDEN\n", "2 ", "same URL as Hampden"],
    [
      "a slug that is used",
      "- name: Byrd\n  slug: ashby\n- name: Ashby\n",
      "3 ",
      "same URL as Byrd: give it another slug",
    ],
    ["a name in another script", "- name: 港\n", "1 ", "add a line such as slug: old-town"],
    ["an empty word", '- name: Ashby\n  words: [Ashby, ""]\n', "2 ", "must not be empty"],
    ["a word without letters", '- name: Ashby\n  words: ["…"]\n', "2 ", "a letter or a digit"],
    ["no word", "- name: Ashby\n  words: []\n", "2 ", "at least one entry"],
    [
      "a word that is excluded too",
      "- name: Ashby\n  excluded: [ashby]\n",
      "2 ",
      'excludes "Ashby"',
    ],
    [
      "a word that contains an excluded one",
      "- name: Ashby\n  words: [Old Town]\n  excluded: [TOWN]\n",
      "3 ",
      'excludes "Old Town"',
    ],
    [
      "an apostrophe in single quotes",
      "- name: Ashby\n  words: ['Butcher's Hill']\n- name: Byrd\n",
      "2 ",
      "in double quotes",
    ],
    ["a slug with spaces", "- name: Ashby\n  slug: old town\n", "2 ", "lowercase letters"],
    ["a misspelled setting", "- name: Ashby\n  word: [B]\n", "2 ", "words"],
    ["a missing name", "- words: [B]\n", "1 ", "name"],
    [
      "too many words",
      `- name: Ashby\n  words: [${Array.from({ length: 21 }, (_, index) => `w${index}`)}]\n`,
      "2 ",
      "at most 20",
    ],
    [
      "too many neighborhoods",
      Array.from({ length: 41 }, (_, index) => `- name: N${index}\n`).join(""),
      "1 ",
      "at most 40 neighborhoods",
    ],
  ])("%s", (_mistake, source, line, message) => {
    const messages = readMessages(source);
    expect(messages).toHaveLength(1);
    expect(messages[0]).toContain(message);
    expect(messages[0]?.startsWith(line), messages[0]).toBe(true);
  });
});

describe("the neighborhoods of Baltimore", () => {
  const parsed = neighborhoodsFile.parse(
    readFileSync("sites/baltimore/neighborhoods.yaml", "utf8"),
  );
  const findPlaces = (...texts: string[]) =>
    (parsed.ok ? parsed.value : [])
      .filter((place) => createPlaceMatcher(place)(texts))
      .map(({ slug }) => slug);

  it.each([
    ["Hampden bakery opens on the Avenue", ["hampden"]],
    ["Hampden-Sydney wins again", []],
    ["Storm closes roads in Hampden, Maine", []],
    ["Kayaks at the Canton waterfront", ["canton"]],
    ["Hall of Fame week in Canton, Ohio", []],
    ["A fire in Mt. Vernon", ["mount-vernon"]],
    ["Visitors return to Mount Vernon, Va.", []],
    ["Mayor of Mount Vernon, N.Y., resigns", []],
    ["From Federal Hill to Fell’s Point by ferry", ["federal-hill", "fells-point"]],
    ["Providence Day beats Federal Hill Prep", ["federal-hill"]],
    ["A walk on Federal Hill in Providence, Rhode Island", []],
    ["Students of SUNY Canton return", []],
    ["A plant in Canton, Mississippi, closes", []],
    ["Flood in Mount Vernon, Washington", []],
    ["Mayor of Mount Vernon, Illinois, resigns", []],
    ["A train in Waverly, Tennessee", []],
    ["Police in Cherry Hill, NJ", []],
    ["Justin Upton retires", []],
    ["A new market in Upton", ["sandtown"]],
    ["Ravens win", []],
  ])("%s: %j", (title, expected) => {
    expect(findPlaces(title)).toEqual(expected);
  });

  it("are recognized in any text of an item, but not across two of them", () => {
    expect(findPlaces("Story time", "", "A reading room, Hampden")).toEqual(["hampden"]);
    expect(findPlaces("A new station", "North of the river")).toEqual([]);
    // An excluded phrase in one text counts for all.
    expect(findPlaces("Hampden", "A visit to Hampden, Maine")).toEqual([]);
    expect(findPlaces("A walk in Canton", "Ohio guests come along")).toEqual(["canton"]);
  });
});
