import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { searchQueries } from "../fixtures/search-queries.ts";
import { startCity, type TestCity } from "../support/city.ts";
import { runInServer } from "../support/newsroom.ts";
import { readStatus } from "../support/raw-http.ts";

let city: TestCity;
beforeAll(async () => {
  city = await startCity(
    {
      "news/public-markets.md": (source) =>
        `${source}\nThe I-95 exit is close. There was an AT&T booth once, and a club that learned C++.\n`,
      // A link that an editor lists twice must not break the rest of the index.
      "community.yaml": (source) => source.replace(/^( +)- label: .*\n(?:\1 +.*\n)+/m, "$&$&"),
    },
    { FAKE_NOW: "2026-11-15T15:00:00Z" },
  );
  await city.server.waitForOutput("search.indexed");
});
afterAll(() => city?.close());

const search = async (query: string, extraParams = "") =>
  (
    await fetch(`${city.server.url}/search?${new URLSearchParams({ q: query })}${extraParams}`)
  ).text();

const findLinks = (page: string) =>
  [...page.matchAll(/<a(?=[^>]*class="search-hit)[^>]*?href="([^"]+)"/g)].map(
    ([, link]) => link ?? "",
  );

const findStatus = (page: string) =>
  (/<main.*?<p[^>]*role="status"[^>]*>(.*?)<\/p>/s.exec(page)?.[1] ?? "").replaceAll(
    /<[^>]*>/g,
    "",
  );

const columns = 60;

const newsroom = (...args: string[]) => runInServer(city.dataDir, args, { columns });

describe("search", () => {
  it("shows the expected result first for every sample query", async () => {
    expect(searchQueries.length).toBeGreaterThanOrEqual(60);
    const wrongResults: unknown[] = [];
    for (const [query, ...best] of searchQueries) {
      const links = findLinks(await search(query));
      if (!best.includes(links[0] ?? ""))
        wrongResults.push({ query, expected: best, got: links.slice(0, 3) });
    }
    expect(wrongResults).toEqual([]);
  });

  it("filters by kind, and ignores an invalid kind or page", async () => {
    const books = findLinks(await search("poe", "&kind=book"));
    expect(books.length).toBeGreaterThan(5);
    expect(books.every((link) => link.startsWith("/books#"))).toBe(true);
    expect(findLinks(await search("poe", "&kind=book&page=2"))).not.toEqual(books);
    // The note under each sample contains our own name. This must not make the sample a result.
    expect(findLinks(await search("harborline", "&kind=event"))).not.toContain("/events/open-mic");
    const allLinks = findLinks(await search("lighthouse"));
    for (const extraParams of ["&kind=none", "&page=0", "&page=x", "&page=-3"])
      expect(findLinks(await search("lighthouse", extraParams)), extraParams).toEqual(allLinks);
  });

  it("says when no page has all of the words, and shows the pages that have some of them", async () => {
    const partialMatches = await search("red lighthouse quokka");
    expect(findStatus(partialMatches)).toMatch(
      /^No page has all of these words\. These have some of them\. \d+ results for “/,
    );
    expect(findLinks(partialMatches).toSorted()).toEqual([
      "/events/lighthouse-evening",
      "/news/lighthouse",
    ]);
    expect(findStatus(await search("handicap harbor"))).toContain("These have some of them.");
    expect(findStatus(await search("trash wheel"))).not.toContain("No page");
  });

  it("never shows the donation appeal", async () => {
    const shownLinks: string[] = [];
    for (const query of [
      "donate",
      "donation",
      "keep free to read",
      "har",
      "harborline",
      "support",
    ]) {
      shownLinks.push(...findLinks(await search(query)));
      const suggestions = await fetch(
        `${city.server.url}/search/suggest?${new URLSearchParams({ q: query })}`,
      );
      for (const { link } of await suggestions.json()) shownLinks.push(link);
    }
    expect(shownLinks.filter((link) => link.includes("donate."))).toEqual([]);
  });

  it("suggests results while a reader types, without counting a search", async () => {
    const response = await fetch(`${city.server.url}/search/suggest?q=iron+lightho`);
    expect(response.headers.get("cache-control")).toBe("private, max-age=5");
    expect(await response.json()).toContainEqual(
      expect.objectContaining({ link: "/news/lighthouse", kind: "Story", isSample: true }),
    );
    for (const query of ["", "l", "'%00"])
      expect(await (await fetch(`${city.server.url}/search/suggest?q=${query}`)).json()).toEqual(
        [],
      );
  });

  it("serves only some of a visitor's many parallel searches, and refuses the others before rendering a page", async () => {
    const send = async (page: number) => {
      const socket = connect(Number(new URL(city.server.url).port), "127.0.0.1");
      await once(socket, "connect");
      socket.write(
        `GET /search?q=bridge&page=${page} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`,
      );
      return { response: text(socket) };
    };
    // The server is suspended until all requests have been sent, so that it gets them at once.
    city.server.process.kill("SIGSTOP");
    const sent = await Promise.all(Array.from({ length: 40 }, (_, page) => send(page))).finally(
      () => city.server.process.kill("SIGCONT"),
    );
    const responses = await Promise.all(sent.map(({ response }) => response));
    const refused = responses.filter((response) => readStatus(response) === 429);
    const served = responses.filter((response) => readStatus(response) === 200);
    expect(served.length).toBeGreaterThanOrEqual(3);
    expect(refused.length).toBeGreaterThan(10);
    expect(served.length + refused.length).toBe(40);
    expect(refused[9]).toMatch(/^retry-after: 5\r$/im);
    expect(refused[9]).toMatch(
      /\r\n\r\nThere are too many searches at the moment\. Please search again in a few seconds\.\n$/,
    );
    expect((await fetch(`${city.server.url}/search?q=bridge&page=1`)).status).toBe(200);
  });

  it("finds a story by its new title soon after its file is saved", async () => {
    // It is a sample, because the first other story would replace the samples in search.
    const saveStory = (title: string) =>
      writeFile(
        join(city.siteFolder, "news/airship.md"),
        `---
title: ${title}
excerpt: Short.
category: Test
date: 2026-10-01
sample: true
image: { file: hero.svg, alt: The harbor }
---
Words.`,
      );
    await saveStory("An Airship Came In");
    await expect.poll(async () => findLinks(await search("airship"))).toEqual(["/news/airship"]);
    expect(findLinks(await search("zeppelin"))).toEqual([]);
    await saveStory("A Zeppelin Came In");
    await expect.poll(async () => findLinks(await search("zeppelin"))).toEqual(["/news/airship"]);
  });

  it("reports to the newsroom what readers searched for, what had no results, and which pages were missing", async () => {
    for (const query of ["Quokka", "quokka", "perfect duckpins game"]) await search(query);
    await fetch(`${city.server.url}/search/suggest?q=quokka+sugg`);
    await search("quokka", "&page=2");
    await search("where quokkas sleep ".repeat(8));
    const backLinkOptions = {
      headers: { Referer: `${city.server.url}/search?q=quokka&kind=blog` },
    };
    await fetch(`${city.server.url}/search?q=quokka`, backLinkOptions);
    await fetch(`${city.server.url}/no-such-page`);
    await fetch(`${city.server.url}/desk/no-such-page`);
    const { code, output } = await newsroom("report", "searches");
    expect(code).toBe(0);
    const rows = output.split("\n").filter((line) => line.startsWith("  "));
    expect(
      rows.filter((row) => row.includes("where quokkas sleep") && row.endsWith("…")),
    ).not.toEqual([]);
    expect(Math.max(...rows.map(({ length }) => length))).toBe(columns);
    expect(output).toMatch(/Searches without results[\s\S]*\b2 {2,}quokka/);
    const searches: { words: string }[] = JSON.parse(
      (await newsroom("report", "searches", "--days=1", "--json")).output,
    );
    expect(searches).toContainEqual({ words: "quokka", asked: 2, withoutResult: 2 });
    expect(searches.filter(({ words }) => words === "quokka sugg")).toEqual([]);
    expect(searches).toContainEqual({ words: "perfect duckpins game", asked: 1, withoutResult: 0 });
    const { output: missing } = await newsroom("report", "missing");
    expect(missing).toMatch(/1 {2,}\/no-such-page/);
    expect(missing).not.toContain("/desk");
    for (const args of [
      [],
      ["weather"],
      ["missing", "--days", "0"],
      ["missing", "--days"],
      ["missing", "7"],
      ["missing", "--weeks=7"],
    ])
      expect((await newsroom("report", ...args)).code, args.join(" ")).toBe(2);
  });
});
