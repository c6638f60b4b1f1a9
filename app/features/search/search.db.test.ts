import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { OpenDatabase } from "../../../db/client.ts";
import { databaseKinds, testDatabase } from "../../../tests/support/database.ts";
import { headlines } from "../feeds/schema.server.ts";
import { find, type Library, suggest } from "./find.server.ts";
import { learnFromHeadlines, type SearchDocument, syncDocuments } from "./index.server.ts";
import type { Kind } from "./model.ts";
import { searchWords } from "./schema.server.ts";

const now = new Date("2026-11-15T12:00:00Z");
const daysAgo = (days: number) => new Date(now.getTime() - days * 86_400_000);

const document = (
  id: string,
  kind: Kind,
  title: string,
  body = "",
  at: Date | null = null,
): SearchDocument => ({
  ...{
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
  },
});

const headline = (title: string, at: Date, summary = "") => ({
  ...{ identity: `https://paper.example/${title}`, sourceId: "paper", title, summary },
  ...{ link: "https://paper.example/", publishedAt: at, firstSeenAt: at, shownAt: at },
});

const site = [
  document("title", "story", "The oyster roast", "", daysAgo(400)),
  document("body", "story", "A winter supper", "We ate one oyster after the other.", daysAgo(1)),
  document("old", "blog", "Ferry timetable", "", daysAgo(700)),
  document("new", "blog", "Ferry timetable", "", daysAgo(2)),
  document("timeless", "faq", "Who runs the ferry?"),
  document("cafe", "page", "A café in Pigtown"),
  document("phrase", "page", "The wheel that eats trash"),
  document("poe", "story", "At the grave of Poe", "", daysAgo(900)),
  document("poetic", "blog", "Poetic license", "", daysAgo(0)),
  document("sign", "blog", "The sign that says sugar", "", daysAgo(0)),
  { ...document("letter", "page", "Our letter"), aliases: "Newsletter\nSign up" },
  document("covid", "page", "COVID-19 and O'Neill's “Grand” U.S. tour 🦀"),
];

describe.each(databaseKinds)("search on %s", (kind) => {
  let database: OpenDatabase;
  let library: Library;
  const sync = (documents: SearchDocument[]) =>
    syncDocuments(database.db, async (known) => ({
      versions: new Map(documents.map(({ id, version }) => [id, version])),
      changed: documents.filter(({ id, version }) => known.get(id) !== version),
    }));
  const ask = (query: string, more = {}) => find(library, { query, kind: null, page: 1, ...more });
  const ids = async (query: string) => (await ask(query)).results.map(({ id }) => id);

  beforeAll(async () => {
    database = await testDatabase(kind);
    library = { db: database.db, now, timeZone: "America/New_York", sourceName: () => "The Paper" };
    await sync(site);
    for (let start = 0; start < 1_200; start += 200)
      await database.db
        .insert(headlines)
        .values(
          Array.from({ length: 200 }, (_, n) => headline(`Council meets ${start + n}`, daysAgo(start + n))),
        );
    await database.db
      .insert(headlines)
      .values([
        headline("Heron returns to the marsh", daysAgo(900), "A bird of patience."),
        headline("Council meets tomorrow", daysAgo(-1)),
      ]);
    await learnFromHeadlines(database.db);
  });
  afterAll(() => database.close());

  it("puts titles before bodies, fresh before old, and lets what is timeless stand", async () => {
    expect(await ids("oyster")).toEqual(["title", "body"]);
    expect(await ids("ferry timetable")).toEqual(["new", "old"]);
    expect(await ids("ferry")).toEqual(["new", "timeless", "old"]);
    expect(await ids("poe")).toEqual(["poe", "poetic"]);
    expect(await ids("sign up")).toEqual(["letter", "sign"]);
  });

  it("takes words in any form, by their beginning, with or without accents, and whole phrases", async () => {
    for (const query of ["oysters", "oyst", "OYSTER", "the oyster", '"oyster roast"'])
      expect((await ids(query))[0], query).toBe("title");
    for (const query of ["cafe", "CAFÉ", "cafes", "pigto"]) expect(await ids(query), query).toEqual(["cafe"]);
    for (const query of ["covid 19", "covid-19", "o'neill", "U.S. tour", "grand tour"])
      expect(await ids(query), query).toEqual(["covid"]);
    expect(await ids("trash wheel")).toEqual(["phrase"]);
    expect((await ask('"trash wheel"')).match.kind).toBe("none");
    expect((await ask('"oyst"')).match.kind).not.toBe("all");
    expect(await ids("19-covid")).toEqual([]);
  });

  it("reads nothing that is typed as a command", async () => {
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
      await expect(Promise.all([ask(query), suggest(library, query)]), query).resolves.toBeDefined();
    expect(await ids("oyster & | ! <-> :*")).toEqual(["title", "body"]);
  });

  it("forgives a slip of the finger, says so, and offers what has some of the words", async () => {
    for (const [query, meant] of [
      ["oytser roast", "oyster roast"],
      ["hreon", "heron"],
      ["feryr", "ferry"],
      ["timetabel", "timetable"],
    ])
      expect((await ask(query ?? "")).match, query).toEqual({ kind: "respelled", query: meant });
    // Two letters of a short word make another word of it.
    for (const query of ["sister", "rooster"]) expect((await ask(query)).match.kind, query).toBe("none");
    // Nearer and more used, but in no text any more.
    await database.db.insert(searchWords).values({ word: "hereon", uses: 99 });
    expect((await ask("hreon")).match).toEqual({ kind: "respelled", query: "heron" });
    const some = await ask("oyster patience");
    expect(some.match.kind).toBe("some");
    expect(some.results.map(({ id }) => id)).toContain("title");
    expect(await ask("xyzzyqwv")).toMatchObject({ match: { kind: "none" }, total: 0, results: [] });
  });

  it("ranks and counts the newest thousand of many, and turns their pages", async () => {
    const first = await ask("council");
    expect(first.counts).toEqual([{ kind: "headline", count: 1_001 }]);
    expect(first.pages).toBe(50);
    expect(first.results[0]).toMatchObject({ detail: "The Paper", link: "https://paper.example/" });
    expect(first.results.slice(0, 3).map(({ title }) => title.map(({ text }) => text).join(""))).toEqual([
      "Council meets tomorrow",
      "Council meets 0",
      "Council meets 1",
    ]);
    const last = await ask("council", { page: 99, kind: "headline" });
    expect(last.page).toBe(50);
    expect(
      last.results
        .at(-1)
        ?.title.map(({ text }) => text)
        .join(""),
    ).toBe("Council meets 998");
    expect((await ask("heron")).results).toHaveLength(1);
  });

  it("marks what was found in the title and in the text", async () => {
    const [, body] = (await ask("oyster")).results;
    expect(body?.snippet.filter(({ isHit }) => isHit)).toEqual([{ text: "oyster", isHit: true }]);
    for (const [query, hits] of [
      ["covid-19", ["COVID-19"]],
      ["U.S. tours", ["U.S", "tour"]],
      ["o'neill", ["O'Neill"]],
    ] as const)
      expect(
        (await ask(query)).results[0]?.title.flatMap(({ text, isHit }) => (isHit ? [text] : [])),
        query,
      ).toEqual(hits);
    expect((await ask("heron")).results[0]?.snippet).toEqual([{ text: "A bird of patience.", isHit: false }]);
  });

  it("suggests titles by what is typed so far", async () => {
    expect((await suggest(library, "ferr")).map(({ title }) => title)).toEqual([
      "Ferry timetable",
      "Ferry timetable",
      "Who runs the ferry?",
    ]);
    expect(await suggest(library, "council meets 7")).toContainEqual({
      ...{ title: "Council meets 7", link: "https://paper.example/", kind: "The Paper", isSample: false },
    });
    for (const query of ["heron re", "heron r", "he re"])
      expect(
        (await suggest(library, query)).map(({ title }) => title),
        query,
      ).toEqual(["Heron returns to the marsh"]);
    expect(await suggest(library, "?!")).toEqual([]);
  });

  it("follows what changes and goes, and writes nothing when nothing has changed", async () => {
    expect(await sync(site)).toEqual({ written: 0, removed: 0, refused: [] });
    const changed = site
      .slice(1)
      .map((each) => (each.id === "cafe" ? document("cafe", "page", "A bakery") : each));
    expect(await sync(changed)).toEqual({ written: 1, removed: 1, refused: [] });
    expect(await ids("oyster")).toEqual(["body"]);
    expect(await ids("bakery")).toEqual(["cafe"]);
    const bad = document("bad", "page", "Not to be stored: \0");
    const { written, refused } = await sync([bad, document("good", "page", "A smithy"), ...changed]);
    expect([written, refused.map(({ id }) => id)]).toEqual([1, ["bad"]]);
    expect(await ids("smithy")).toEqual(["good"]);
  });
});
