import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { OpenDatabase } from "../../../db/database.ts";
import { databaseKinds, openTestDatabase } from "../../../tests/support/database.ts";
import { createSentenceCase } from "../../lib/text/typography/sentence-case.ts";
import { cacheTags, purge } from "../../platform/tags.ts";
import { headlines } from "../feeds/schema.server.ts";
import { type SearchScope, search, suggest } from "./find/find.server.ts";
import { learnFromHeadlines, type SearchDocument, syncDocuments } from "./index/write.server.ts";
import type { Kind } from "./model.ts";
import { searchWords } from "./schema.server.ts";

const now = new Date("2026-11-15T12:00:00Z");
const daysAgo = (days: number) => new Date(now.getTime() - days * 86_400_000);

const createDocument = (
  id: string,
  kind: Kind,
  title: string,
  body = "",
  at: Date | null = null,
): SearchDocument => ({
  id,
  kind,
  title,
  body,
  at,
  link: `/${id}`,
  detail: "",
  summary: "",
  isSample: false,
  version: title + body,
  aliases: "",
  keywords: "",
});

const createHeadline = (title: string, at: Date, summary = "") => ({
  identity: `https://paper.example/${title}`,
  sourceId: "paper",
  title,
  summary,
  link: "https://paper.example/",
  publishedAt: at,
  firstSeenAt: at,
  shownAt: at,
});

const site = [
  createDocument("title", "story", "The oyster roast", "", daysAgo(400)),
  createDocument(
    "body",
    "story",
    "A winter supper",
    "We ate one oyster after the other.",
    daysAgo(1),
  ),
  createDocument("old", "blog", "Ferry timetable", "", daysAgo(700)),
  createDocument("new", "blog", "Ferry timetable", "", daysAgo(2)),
  createDocument("timeless", "faq", "Who runs the ferry?"),
  createDocument("cafe", "page", "A café in Pigtown"),
  createDocument("phrase", "page", "The wheel that eats trash"),
  createDocument("curly", "page", "What’s on"),
  createDocument("straight", "page", "What's fishy on the pier"),
  createDocument("poe", "story", "At the grave of Poe", "", daysAgo(900)),
  createDocument("poetic", "blog", "Poetic license", "", daysAgo(0)),
  createDocument("sign", "blog", "The sign that says sugar", "", daysAgo(0)),
  { ...createDocument("letter", "page", "Our letter"), aliases: "Newsletter\nSign up" },
  createDocument("covid", "page", "COVID-19 and O'Neill's “Grand” U.S. tour 🦀"),
  // The site's name, and words with the same beginning.
  createDocument("about", "page", "About Harborline", "Harborline is read by the water."),
  createDocument("who", "faq", "Who runs Harborline?", "", daysAgo(0)),
  createDocument(
    "quay",
    "story",
    "A walk along the quay",
    "From the harbor to the hill. Harborline went along.",
    daysAgo(90),
  ),
  createDocument("hardware", "blog", "The last hardware store", "", daysAgo(5)),
  // Names with punctuation, and the same letters and numbers without punctuation.
  createDocument("highway", "story", "I-95 closes at night", "", daysAgo(30)),
  createDocument(
    "bridge",
    "story",
    "A bridge is built",
    "It carries I-95 and US 40 over the river.",
    daysAgo(3),
  ),
  createDocument(
    "number",
    "story",
    "A 95 year old baker",
    "She has 95 candles, and I have one.",
    daysAgo(0),
  ),
  createDocument("phones", "blog", "AT&T store moves", "", daysAgo(10)),
  createDocument(
    "phone-booth",
    "blog",
    "The last phone booth",
    "It belonged to AT&T at the time.",
    daysAgo(1),
  ),
  createDocument("code", "event", "Learn C++ at the library", "", daysAgo(10)),
  createDocument("vitamin", "event", "Vitamin C at the pharmacy", "", daysAgo(0)),
  // Pages and other documents with the same words.
  { ...createDocument("tide-page", "page", "Tide tables"), aliases: "Tides" },
  createDocument("tide-story", "story", "The tide came in", "", daysAgo(300)),
  createDocument("words", "story", "Penguin, walrus and seal", "", daysAgo(500)),
  createDocument("two-words", "story", "Penguin and walrus", "", daysAgo(500)),
  createDocument("one-word", "story", "Walrus", "", daysAgo(0)),
];

describe.each(databaseKinds)("search on %s", (kind) => {
  let database: OpenDatabase;
  let scope: SearchScope;
  const sync = (documents: SearchDocument[]) =>
    syncDocuments(database.db, documents, async (changed) => changed);
  const runSearch = (query: string, options = {}) =>
    search(scope, { query, kind: null, page: 1, ...options });
  const findIds = async (query: string) => (await runSearch(query)).results.map(({ id }) => id);

  beforeAll(async () => {
    database = await openTestDatabase(kind);
    scope = {
      db: database.db,
      now,
      timeZone: "America/New_York",
      getSourceName: () => "The Paper",
      toTitle: createSentenceCase(["Baltimore"]),
      ownNames: ["harborline"],
    };
    await sync(site);
    for (let start = 0; start < 1_200; start += 200)
      await database.db
        .insert(headlines)
        .values(
          Array.from({ length: 200 }, (_, n) =>
            createHeadline(`Council meets ${start + n}`, daysAgo(start + n)),
          ),
        );
    await database.db
      .insert(headlines)
      .values([
        createHeadline("Heron returns to the marsh", daysAgo(900), "A bird of patience."),
        createHeadline("BPD: SAILOR'S BOAT FOUND OFF BALTIMORE", daysAgo(3)),
        createHeadline("Council meets tomorrow", daysAgo(-1)),
        createHeadline("Museum of the B&O opens late", daysAgo(4)),
      ]);
    await learnFromHeadlines(database.db);
  });
  afterAll(() => database.close());

  it("ranks titles before bodies and new before old, with undated documents in between", async () => {
    expect(await findIds("oyster")).toEqual(["title", "body"]);
    expect(await findIds("ferry timetable")).toEqual(["new", "old"]);
    expect(await findIds("ferry")).toEqual(["new", "timeless", "old"]);
    expect(await findIds("poe")).toEqual(["poe", "poetic"]);
    expect(await findIds("sign up")).toEqual(["letter", "sign"]);
  });

  it("finds words in any form, by prefix, with or without accents, and in quoted phrases", async () => {
    for (const query of ["oysters", "oyst", "OYSTER", "the oyster", '"oyster roast"'])
      expect((await findIds(query))[0], query).toBe("title");
    for (const query of ["cafe", "CAFÉ", "cafes", "pigto"])
      expect(await findIds(query), query).toEqual(["cafe"]);
    for (const query of ["covid 19", "covid-19", "o'neill", "U.S. tour", "grand tour"])
      expect(await findIds(query), query).toEqual(["covid"]);
    expect(await findIds("trash wheel")).toEqual(["phrase"]);
    expect((await runSearch('"trash wheel"')).match.kind).toBe("none");
    expect((await runSearch('"oyst"')).match.kind).not.toBe("all");
    expect(await findIds("19-covid")).toEqual([]);
  });

  it("finds both kinds of apostrophes by either", async () => {
    for (const query of ["what's on", "what’s on", '"what\'s on"', "“what’s on”"])
      expect((await findIds(query))[0], query).toBe("curly");
    for (const query of ["what's fishy", "what’s fishy", "“what’s fishy”"])
      expect(await findIds(query), query).toEqual(["straight"]);
    for (const query of ["What's on", "what’s on"])
      expect((await suggest(scope, query))[0]?.title, query).toBe("What’s on");
  });

  it("shows a headline in capitals in sentence case", async () => {
    const title = "BPD: Sailor's boat found off Baltimore";
    for (const query of ["sailor's boat", "sailor’s boat"]) {
      const [found] = (await runSearch(query)).results;
      expect(found?.title.map(({ text }) => text).join("")).toBe(title);
      expect((await suggest(scope, query))[0]?.title).toBe(title);
    }
  });

  it("treats nothing that readers type as a database operator", async () => {
    for (const query of [
      "'",
      "\\",
      "oyster & | !",
      "oyster:*A <-> (",
      "'; drop table headlines",
      "%_",
      "\u0000",
      "😀",
      "❤️",
      "\u0301",
      "\u{1D372}",
      "oyster \u{1D372}",
      "a".repeat(200),
    ])
      await expect(
        Promise.all([runSearch(query), suggest(scope, query)]),
        query,
      ).resolves.toBeDefined();
    expect(await findIds("oyster & | ! <-> :*")).toEqual(["title", "body"]);
  });

  it("corrects typos and says so, and offers documents with some of the words", async () => {
    for (const [query, meant] of [
      ["oytser roast", "oyster roast"],
      ["hreon", "heron"],
      ["feryr", "ferry"],
      ["timetabel", "timetable"],
    ])
      expect((await runSearch(query ?? "")).match, query).toEqual({
        kind: "respelled",
        query: meant,
      });
    // With two different letters, a short word is a different word.
    for (const query of ["sister", "rooster"])
      expect((await runSearch(query)).match.kind, query).toBe("none");
    // This word is more similar and more used, but is no longer in any document.
    await database.db.insert(searchWords).values({ word: "hereon", uses: 99 });
    expect((await runSearch("hreon")).match).toEqual({ kind: "respelled", query: "heron" });
    const partial = await runSearch("oyster smithereens");
    expect(partial.match.kind).toBe("some");
    expect(partial.results.map(({ id }) => id)).toContain("title");
    expect((await runSearch("what who how why whom")).match.kind).toBe("none");
    expect(await runSearch("xyzzyqwv")).toMatchObject({
      match: { kind: "none" },
      total: 0,
      results: [],
    });
  });

  it("finds the site's name only by the complete word", async () => {
    for (const query of ["har", "harb", "harbor", "harbors", "HARBOR", "hárb"])
      expect((await findIds(query)).toSorted(), query).toEqual(
        query === "har" ? ["hardware", "quay"] : ["quay"],
      );
    expect((await findIds("harborline"))[0]).toBe("about");
    expect((await findIds("harborline")).toSorted()).toEqual(["about", "quay", "who"]);
    expect((await findIds("harborline harbor"))[0]).toBe("quay");
    expect((await suggest(scope, "har")).map(({ title }) => title)).toEqual([
      "The last hardware store",
    ]);
    expect((await suggest(scope, "harborline")).map(({ title }) => title)).toEqual([
      "About Harborline",
      "Who runs Harborline?",
    ]);
    const [quay] = (await runSearch("harb")).results;
    expect(quay?.snippet.flatMap(({ text, isHit }) => (isHit ? [text] : []))).toEqual(["harbor"]);
  });

  it("ranks pages after other results that match equally well, unless the query is the page's name", async () => {
    expect(await findIds("tide")).toEqual(["tide-story", "tide-page"]);
    expect(await findIds("tides")).toEqual(["tide-page", "tide-story"]);
    expect(await findIds("Tide tables")).toEqual(["tide-page"]);
  });

  it("finds names with punctuation, and not documents with the same letters without punctuation", async () => {
    for (const [query, ...expected] of [
      ["I-95", "highway", "bridge"],
      ["i‑95", "highway", "bridge"],
      ["I95", "highway", "bridge"],
      ['"I-95"', "highway", "bridge"],
      ['"i-95 closes"', "highway"],
      ["I-95 river", "bridge"],
      ["US-40", "bridge"],
      ["AT&T", "phones", "phone-booth"],
      ["at&t", "phones", "phone-booth"],
      ['"AT&T store"', "phones"],
      ["AT&T booth", "phone-booth"],
      ["C++", "code"],
      ['learn "C++"', "code"],
      ["c++ library", "code"],
      ["U.S.", "covid"],
    ] as const)
      expect(await findIds(query), query).toEqual(expected);
    expect((await runSearch("B&O")).results[0]?.title).toContainEqual({ text: "B&O", isHit: true });
    for (const query of ["I-96", "AT&X", "C#", '"C++ pharmacy"'])
      expect((await runSearch(query)).match.kind, query).not.toBe("all");
    const findTitleHits = async (query: string) =>
      (await runSearch(query)).results[0]?.title.flatMap(({ text, isHit }) =>
        isHit ? [text] : [],
      );
    expect(await findTitleHits("i95")).toEqual([]);
    expect(await findTitleHits("I-95")).toEqual(["I-95"]);
    expect(await findTitleHits("AT&T")).toEqual(["AT&T"]);
    expect(await findTitleHits("c++")).toEqual(["C++"]);
    for (const query of ["I-95", "I-9", "at&t", "c++", "c+"])
      expect((await suggest(scope, query)).length, query).toBe(1);
  });

  it("ranks complete words before longer words that begin with them", async () => {
    await sync([
      ...site,
      createDocument("art", "story", "A quiet room", "There is art on the walls.", daysAgo(800)),
      createDocument("artisans", "blog", "Artisans of the artillery", "", daysAgo(0)),
    ]);
    expect(await findIds("art")).toEqual(["art", "artisans"]);
    await sync(site);
  });

  it("offers documents with half of the words, best matches first, if no document has all of them", async () => {
    const findMatches = async (query: string) => {
      const { match, results } = await runSearch(query);
      return [match.kind, ...results.map(({ id }) => id)];
    };
    expect(await findMatches("penguin walrus seal")).toEqual(["all", "words"]);
    expect(await findMatches("penguin walrus seal quokka")).toEqual(["some", "words", "two-words"]);
    expect(await findMatches("penguin walrus quokka")).toEqual(["some", "two-words", "words"]);
    expect(await findMatches("penguin quokka")).toEqual(["some", "two-words", "words"]);
    expect(await findMatches("walrus quokka zebu okapi")).toEqual(["none"]);
  });

  it("ranks and counts only the newest thousand of many headlines, in pages", async () => {
    const first = await runSearch("council");
    expect(first.counts).toEqual([{ kind: "headline", count: 1_001 }]);
    expect(first.pages).toBe(50);
    expect(first.results[0]).toMatchObject({ detail: "The Paper", link: "https://paper.example/" });
    expect(
      first.results.slice(0, 3).map(({ title }) => title.map(({ text }) => text).join("")),
    ).toEqual(["Council meets tomorrow", "Council meets 0", "Council meets 1"]);
    const last = await runSearch("council", { page: 99, kind: "headline" });
    expect(last.page).toBe(50);
    expect(
      last.results
        .at(-1)
        ?.title.map(({ text }) => text)
        .join(""),
    ).toBe("Council meets 998");
    expect((await runSearch("heron")).results).toHaveLength(1);
    // Newer headlines with other words do not change this.
    const others = Array.from({ length: 400 }, (_, n) => createHeadline(`Tram ${n}`, daysAgo(-2)));
    await database.db.insert(headlines).values(others);
    expect(await runSearch("council")).toEqual(first);
    expect(await runSearch("council", { page: 99, kind: "headline" })).toEqual(last);
  });

  it("suggests the newest titles for the beginning of a common word", async () => {
    const newest = ["tomorrow", "0", "1", "2", "3", "4", "5"].map((day) => `Council meets ${day}`);
    for (const query of ["co", "counc", "council", "council me"])
      expect(
        (await suggest(scope, query)).map(({ title }) => title),
        query,
      ).toEqual(newest);
  });

  it("highlights matches in the title and in the text", async () => {
    const [, body] = (await runSearch("oyster")).results;
    expect(body?.snippet.filter(({ isHit }) => isHit)).toEqual([{ text: "oyster", isHit: true }]);
    for (const [query, hits] of [
      ["covid-19", ["COVID-19"]],
      ["U.S. tours", ["U.S", "tour"]],
      ["o'neill", ["O'Neill"]],
    ] as const)
      expect(
        (await runSearch(query)).results[0]?.title.flatMap(({ text, isHit }) =>
          isHit ? [text] : [],
        ),
        query,
      ).toEqual(hits);
    expect((await runSearch("heron")).results[0]?.snippet).toEqual([
      { text: "A bird of patience.", isHit: false },
    ]);
  });

  it("suggests titles that match the text typed so far", async () => {
    expect((await suggest(scope, "ferr")).map(({ title }) => title)).toEqual([
      "Ferry timetable",
      "Ferry timetable",
      "Who runs the ferry?",
    ]);
    expect(await suggest(scope, "council meets 7")).toContainEqual({
      title: "Council meets 7",
      link: "https://paper.example/",
      kind: "The Paper",
      isSample: false,
    });
    for (const query of ["heron re", "heron r", "he re"])
      expect(
        (await suggest(scope, query)).map(({ title }) => title),
        query,
      ).toEqual(["Heron returns to the marsh"]);
    expect(await suggest(scope, "?!")).toEqual([]);
  });

  it("updates changed documents, removes deleted documents, and writes nothing if nothing has changed", async () => {
    const notifications: string[] = [];
    const stopListening = await database.listen({
      onPurge: (tags) => notifications.push(...tags),
      onLost() {},
      onRestored() {},
    });
    expect(await sync(site)).toEqual({ written: 0, removed: 0 });
    await purge(database.db, [cacheTags.page("/after-no-change")]);
    const changed = site
      .slice(1)
      .map((each) => (each.id === "cafe" ? createDocument("cafe", "page", "A bakery") : each));
    expect(await sync(changed)).toEqual({ written: 1, removed: 1 });
    // Every node drops its cached results.
    await expect.poll(() => notifications).toEqual(["page:/after-no-change", "search"]);
    await stopListening();
    expect(await findIds("oyster")).toEqual(["body"]);
    expect(await findIds("bakery")).toEqual(["cafe"]);
    await sync(site);
  });
});
