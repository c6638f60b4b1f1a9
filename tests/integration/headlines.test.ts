import { readFile } from "node:fs/promises";
import ICAL from "ical.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startCity, type TestCity } from "../support/city.ts";
import { findBrokenFeedRules } from "../support/feed-rules.ts";
import {
  createRss,
  type FeedEntry,
  type FeedServer,
  startFeedServer,
} from "../support/feed-server.ts";
import { findElement, readLinks } from "../support/html.ts";
import { runInServer } from "../support/newsroom.ts";
import { readStatus, sendRaw } from "../support/raw-http.ts";

/** Noon in Baltimore. */
const noon = new Date("2026-11-18T17:00:00Z");
const midnight = new Date("2026-11-19T05:00:00Z");
const daysAgo = (days: number) => new Date(noon.getTime() - days * 24 * 60 * 60 * 1000);

const localTitles = [
  "Hampden bakery opens",
  "Hampden-Sydney wins again",
  "Café owners in Hampdén meet",
  "Council votes on the harbor",
  "Canton, Ohio honors players",
];
/** The feeds by path. Each test that changes one has its own. A feed without items is not found. */
const feedItems: Record<string, FeedEntry[]> = {
  "/fishbowl": [
    ...localTitles.map((title) => ({ title })),
    { title: "Waverly library reopens", date: daysAgo(2).toUTCString() },
  ],
  "/loud": Array.from({ length: 50 }, (_, index) => ({
    title: `Open house ${index}`,
    summary: "Serving Waverly and all of Baltimore.",
  })),
};
const sourceUrls: Record<string, RegExp> = {
  "/fishbowl": /https:\/\/baltimorefishbowl\.com\S*/g,
  "/loud": /https:\/\/www\.southbmore\.com\S*/g,
  "/brew": /https:\/\/baltimorebrew\.com\S*/g,
  "/beat": /https:\/\/baltimorebeat\.com\S*/g,
  "/times": /https:\/\/baltimoretimes-online\.com\S*/g,
};

let paperServer: FeedServer;
let city: TestCity;

beforeAll(async () => {
  paperServer = await startFeedServer((request, response) => {
    const items = feedItems[request.url ?? ""];
    if (items) response.end(createRss("paper.example", items));
    else if (request.url === "/front-page")
      response
        .writeHead(200, { "Content-Type": "text/html" })
        .end('<!doctype html><link rel=alternate type="application/rss+xml" href="/new">');
    else response.writeHead(404).end();
  });
  city = await startCity(
    {
      "sections.yaml": (source) =>
        Object.entries(sourceUrls).reduce(
          (text, [path, url]) => text.replaceAll(url, paperServer.url(path)),
          source,
        ),
      // Samples are in no feed, and the place page shows our own story too.
      "news/lighthouse.md": (source) =>
        source
          .replace(/^sample: true\n/m, "")
          .replace(/^title: .*$/m, "title: A lamp in Hampden")
          .replace(/^date: .*$/m, "date: 2026-09-01"),
      "events/story-time.md": (source) => source.replace(/^sample: true\n/m, ""),
      // House ads with the next event would make every page expire at midnight.
      "ads.yaml": (source) => source.replaceAll("    content: next-event\n", ""),
    },
    { FETCH_ALLOW: paperServer.host, FAKE_NOW: noon.toISOString() },
  );
  for (const source of ["baltimore-fishbowl", "southbmore"])
    await newsroom("feeds", "refresh", source);
});
afterAll(async () => {
  await city?.close();
  await paperServer?.close();
});

const request = (path: string, headers: Record<string, string> = {}) =>
  fetch(city.server.url + path, { headers, redirect: "manual" });
const fetchText = async (path: string) => (await request(path)).text();
const fetchTitles = async (path: string): Promise<string[]> =>
  JSON.parse(await fetchText(path)).items.map(({ title }: { title: string }) => title);
const newsroom = (...args: string[]) => runInServer(city.dataDir, args);

/** Requests a page, and returns whether it came from the cache. */
async function isCached(path: string): Promise<boolean> {
  const response = await request(path);
  await response.arrayBuffer();
  const id = response.headers.get("x-request-id");
  const findLogLine = () =>
    city.server
      .output()
      .split("\n")
      .find((line) => line.includes(`"id":"${id}"`) && line.includes('"request"'));
  await expect.poll(findLogLine).toBeDefined();
  return findLogLine()?.includes('"cache":"hit"') ?? false;
}

describe("headlines", () => {
  it("are replaced by good-to-know items until a source has sent some, and these items change at midnight in the city", async () => {
    const response = await request("/technology");
    const expires = new Date(response.headers.get("expires") ?? "");
    expect(expires.getTime()).toBeLessThanOrEqual(midnight.getTime());
    const countOwnItems = (html: string) =>
      html.match(/<span class="font-semibold">Harborline</g)?.length;
    const technology = await response.text();
    expect(technology).toContain("No live headlines have arrived yet.");
    expect(countOwnItems(technology)).toBe(5);
    expect(countOwnItems(await fetchText("/technology?all=technology"))).toBeGreaterThanOrEqual(8);
  });

  it("are the only content of feeds and widgets: good-to-know items do not appear in them or in search", async () => {
    const goodToKnow = await readFile("sites/baltimore/good-to-know.yaml", "utf8");
    const [, title = ""] = /\ntechnology:\n {2}- title: ([^\n"]+)\n/.exec(goodToKnow) ?? [];
    expect(title).not.toBe("");
    expect(await fetchText("/technology?all=technology")).toContain(title);
    for (const format of ["xml", "atom", "json"])
      expect(await fetchText(`/feeds/technology.${format}`), format).not.toContain(title);
    expect(await fetchText("/embed/feeds/technology")).toContain("No headlines have arrived yet.");
    expect(await fetchText(`/search?${new URLSearchParams({ q: `"${title}"` })}`)).not.toContain(
      `>${title}<`,
    );
  });

  it("appear on their pages right after a refresh, and other pages stay cached", async () => {
    feedItems["/brew"] = [{ title: "Harbor ferry starts again" }];
    const { code, output } = await newsroom("feeds", "refresh", "baltimore-brew");
    expect(output).toMatch(/✓ baltimore-brew: \d new, 0 changed/);
    expect(code).toBe(0);
    for (const path of ["/local", "/news", "/feeds/local.json", "/embed/feeds/local", "/archives"])
      expect(await fetchText(path), path).toContain("Harbor ferry starts again");
    expect(await fetchText("/local")).not.toContain("No live headlines");
    expect((await fetchText("/local")).replaceAll(/<!-- -->/g, "")).toMatch(
      /From \d+ newsrooms<\/summary>/,
    );
    expect(await fetchText("/world")).toContain("No live headlines");
    // No headline is a week old, but the archive lists all of them.
    expect(await fetchText("/archives")).toContain(
      "This list has headlines from a week ago and earlier, and none is that old yet.",
    );
    expect(await fetchText("/archives")).toContain(
      "From all months, sections and sources, newest first.",
    );

    feedItems["/brew"].unshift({ title: "Second ferry joins the first" });
    for (const path of ["/local", "/news", "/world"]) await fetchText(path);
    await newsroom("feeds", "refresh", "baltimore-brew");
    expect(await isCached("/world")).toBe(true);
    expect(await fetchText("/local")).toContain("Second ferry joins the first");
    expect(await fetchText("/news")).toContain("Second ferry joins the first");
  });

  it("are archived by month, and an invalid month, page or name does not break the archive", async () => {
    feedItems["/beat"] = [{ title: "A tower is torn down" }];
    await newsroom("feeds", "refresh", "baltimore-beat");
    for (const [query, text] of [
      ["month=2026-11&section=local", "A tower is torn down"],
      ["section=world", "The archive has no headlines from World News."],
    ])
      expect(await fetchText(`/archives?${query}`), query).toContain(text);
    // Without JavaScript, "See All" is a form that keeps the filter of the archive.
    expect(await fetchText("/archives?section=local")).toMatch(
      /<input type="hidden" name="section" value="local"/,
    );
    expect(await fetchText("/archives?section=world")).not.toContain("A tower is torn down");
    for (const query of [
      "month=0000-01",
      "month=9999-12",
      "page=99999",
      "section=constructor&source=y",
    ])
      expect((await fetch(`${city.server.url}/archives?${query}`)).status, query).toBe(200);
  });

  it("stay when their source is gone, and the status page and the newsroom command say what is wrong", async () => {
    feedItems["/times"] = [{ title: "The choir sings" }];
    await newsroom("feeds", "refresh", "the-baltimore-times");
    delete feedItems["/times"];
    expect((await newsroom("feeds", "refresh", "the-baltimore-times")).code).toBe(1);
    expect(await fetchText("/local")).toContain("The choir sings");
    expect(await fetchText("/status")).toContain("It no longer exists.");
    expect(findElement(await fetchText("/status"), "main")).not.toContain("404");
    const status = await fetchText("/status.json");
    expect(JSON.parse(status).sources).toContainEqual(
      expect.objectContaining({
        id: "the-baltimore-times",
        state: "failing",
        causeKey: "gone",
        items: 1,
      }),
    );
    expect(status).not.toContain(paperServer.host);
    const explanation = await newsroom("feeds", "explain", "the-baltimore-times");
    expect(explanation.output).toContain("state: failing: it no longer exists");
    expect(explanation.output).toContain("The choir sings");
    expect((await newsroom("feeds", "list")).output).toMatch(
      /the-baltimore-times +local +failing +1 /,
    );
  });

  it("can be checked with the newsroom command before their source is added", async () => {
    feedItems["/far"] = [{ title: "Far away it snows" }];
    expect(await newsroom("feeds", "check", paperServer.url("/far"))).toMatchObject({
      code: 0,
      output: expect.stringContaining("Far away it snows"),
    });
    expect(await newsroom("feeds", "check", paperServer.url("/none"))).toMatchObject({
      code: 1,
      output: expect.stringContaining("no longer exists"),
    });
    expect((await newsroom("feeds", "check", "http://169.254.169.254/")).output).toContain(
      "not public",
    );
    for (const args of [[], ["frobnicate"], ["add"]])
      expect((await newsroom("feeds", ...args)).code, args.join(" ")).toBe(2);
    for (const verb of ["refresh", "explain"])
      expect((await newsroom("feeds", verb, "nobody")).code, verb).toBe(1);
  });

  it("arrive from a source that is added while the server runs", async () => {
    const url = paperServer.url("/new");
    expect((await newsroom("feeds", "add", url, "--section", "local")).output).toContain(
      "was not added",
    );
    feedItems["/new"] = [{ title: "A paper is founded" }];
    const added = await newsroom(
      "feeds",
      "add",
      paperServer.url("/front-page"),
      "--section",
      "local",
      "--name",
      "The New Paper",
    );
    expect(added.output).toContain(`/front-page is a web page. Its feed is ${url}`);
    expect(added).toMatchObject({
      code: 0,
      output: expect.stringContaining("The New Paper was added to sections.yaml"),
    });
    const duplicate = await newsroom("feeds", "add", `${url}/`, "--section", "local");
    expect(duplicate).toMatchObject({
      code: 1,
      output: expect.stringContaining('already has this feed, as "The New Paper"'),
    });
    const otherSection = await newsroom("feeds", "add", url, "--section", "business");
    expect(otherSection).toMatchObject({
      code: 1,
      output: expect.stringContaining('add: --name "The New Paper"'),
    });
    const otherUrl = paperServer.url("/another");
    expect(
      await newsroom("feeds", "add", otherUrl, "--section", "local", "--name", "The New Paper"),
    ).toMatchObject({
      code: 1,
      output: expect.stringContaining('Choose another name: --name "…"'),
    });
    expect((await newsroom("validate")).code).toBe(0);
    await expect.poll(() => fetchText("/local")).toContain("The New Paper");
    await newsroom("feeds", "refresh", "the-new-paper");
    expect(await fetchText("/local")).toContain("A paper is founded");
  });
});

describe("a neighborhood", () => {
  it("has a page with the headlines, stories, posts and events that name it, and no others", async () => {
    const page = await fetchText("/local?place=hampden");
    for (const text of [
      "<title>Local News from Hampden | Harborline Baltimore</title>",
      "Hampden bakery opens",
      "Café owners in Hampdén meet",
      "A lamp in Hampden",
      "The Mills Along the Jones Falls",
      "Story Time on the Round Rug",
      'href="https://baltimore.harborline.example/local?place=hampden"',
      'href="/feeds/local.atom?place=hampden"',
    ])
      expect(page, text).toContain(text);
    expect(page).not.toContain("Hampden-Sydney");
    expect(page).not.toContain("Council votes");
    expect(page).toMatch(/"name":"Local News","item":"[^"]*\/local"\},[^}]*"name":"Hampden"/);
    const events = await fetchText("/events?place=hampden");
    expect(events).toContain("<title>Events in Hampden | Harborline Baltimore</title>");
    expect(events).toContain("Story Time on the Round Rug");
    expect(events).not.toContain("Lantern Walk");
  });

  it("is not left to one newsroom that names it in every headline", async () => {
    const titles = await fetchTitles("/feeds/local.json?place=waverly");
    expect(titles).toContain("Waverly library reopens");
    expect(titles.filter((title) => title.startsWith("Open house")).length).toBeLessThanOrEqual(10);
    expect(await fetchText("/local?place=waverly")).toContain("Waverly library reopens");
  });

  it("says so if there is nothing from it, and keeps that page out of search engines", async () => {
    const page = await fetchText("/local?place=pigtown");
    expect(page).toContain("Nothing from <!-- -->Pigtown");
    expect(page).toContain('href="/search?q=Pigtown"');
    expect(page).toContain('content="noindex"');
  });

  it("that is unknown, or in a section of the world, is not found", async () => {
    for (const path of [
      "/local?place=atlantis",
      "/events?place=atlantis",
      "/events.ics?place=atlantis",
      "/feeds/local.xml?place=atlantis",
      "/embed/feeds/local?place=atlantis",
      "/feeds/world.xml?place=hampden",
    ])
      expect((await request(path)).status, path).toBe(404);
    expect(await fetchText("/local?place=atlantis")).toContain("Oops! Page not found");
    // A link with a parameter that the page does not have leads to the page itself.
    expect((await request("/sports?place=hampden")).headers.get("location")).toBe("/sports");
  });

  it.each(["xml", "atom", "json"] as const)("has a valid feed (%s)", async (extension) => {
    const path = `/feeds/local.${extension}?place=hampden`;
    const feed = await request(path);
    const text = await feed.text();
    expect(findBrokenFeedRules(extension, text)).toEqual([]);
    expect(text).toContain(`https://baltimore.harborline.example${path}`);
    expect(text).toContain("A lamp in Hampden");
    expect(text).not.toContain("Hampden-Sydney");
    const etag = feed.headers.get("etag") ?? "";
    expect((await request(path, { "If-None-Match": etag })).status).toBe(304);
  });

  it.each(["xml", "atom", "json"] as const)(
    "has a valid feed of its events, without samples (%s)",
    async (extension) => {
      const path = `/feeds/events.${extension}?place=hampden`;
      const text = await fetchText(path);
      expect(findBrokenFeedRules(extension, text)).toEqual([]);
      expect(text).toContain(`https://baltimore.harborline.example${path}`);
      expect(text).toContain("Story Time on the Round Rug");
      expect(await fetchText("/events?place=hampden")).toContain(`href="${path}"`);
      expect(await fetchText(`/feeds/events.${extension}`)).not.toContain("Sample");
      expect(await fetchText(`/feeds/events.${extension}?category=music`)).not.toContain(
        "Round Rug",
      );
      expect((await request(`/feeds/events.${extension}?place=atlantis`)).status).toBe(404);
      expect((await request(`/feeds/events.${extension}?category=none`)).status).toBe(400);
    },
  );

  it("has a calendar and widgets", async () => {
    const calendar = await fetchText("/events.ics?place=hampden");
    const events = new ICAL.Component(ICAL.parse(calendar)).getAllSubcomponents("vevent");
    expect(events.length).toBeGreaterThan(0);
    expect(
      events.every((event) => String(event.getFirstPropertyValue("location")).includes("Hampden")),
    ).toBe(true);
    expect(calendar).toContain("X-WR-CALNAME:Harborline Baltimore: Hampden");
    expect(await fetchText("/embed/events?place=hampden")).toContain("Story Time");
    const widget = await fetchText("/embed/feeds/local?place=hampden&limit=1");
    expect(widget).toContain("/local?place=hampden");
    expect(widget.match(/<li>/g)).toHaveLength(1);
  });

  it("can be added while the server runs", async () => {
    await city.edit("neighborhoods.yaml", (source) => `${source}- name: Council\n`);
    await expect.poll(async () => (await request("/local?place=council")).status).toBe(200);
    expect(await fetchTitles("/feeds/local.json?place=council")).toEqual([
      "Council votes on the harbor",
    ]);
  });
});

describe("the events next to headlines", () => {
  it.each([
    ["/lifestyle", "/events", "Lifestyle events"],
    ["/sports", "/events", "Events in Baltimore"],
    ["/local", "/events", "Events in Baltimore"],
    ["/local?place=hampden", "/events?place=hampden", "Events in Hampden"],
  ])("of %s lead to %s and are called %s", async (path, to, label) => {
    const page = await fetchText(path);
    expect(readLinks(page)).toContainEqual(expect.objectContaining({ text: label, href: to }));
    expect(page).toContain("Story Time on the Round Rug");
  });
});

describe("other filters have feeds too:", () => {
  it("a source", async () => {
    const titles = await fetchTitles("/feeds/local.json?source=baltimore-fishbowl");
    expect(titles).toHaveLength(6);
    expect(await fetchText("/feeds/local.xml?source=baltimore-fishbowl")).toContain(
      "<title>Baltimore Fishbowl | Harborline Baltimore</title>",
    );
    expect(await fetchTitles("/feeds/local.json?source=wypr")).toEqual([]);
    for (const path of ["/feeds/local.xml?source=nobody", "/feeds/world.xml?source=wypr"])
      expect((await request(path)).status, path).toBe(404);
    expect(await fetchText("/archives?source=baltimore-fishbowl")).toContain(
      'href="/feeds/local.xml?source=baltimore-fishbowl"',
    );
  });

  it("a category of our stories and of our posts", async () => {
    expect(await fetchTitles("/feeds/stories.json?category=history")).toEqual([
      "A lamp in Hampden",
    ]);
    expect((await request("/feeds/stories.json?category=History")).headers.get("location")).toBe(
      "/feeds/stories.json?category=history",
    );
    expect((await request("/feeds/stories.xml?category=none")).status).toBe(404);
    const feed = await fetchText("/blog/feed.xml?category=history");
    expect(findBrokenFeedRules("xml", feed)).toEqual([]);
    expect(feed).toContain("/blog/feed.xml?category=history");
    expect((await request("/blog/feed.xml?category=none")).status).toBe(404);
  });
});

describe("a search", () => {
  it.each(["xml", "atom", "json"] as const)(
    "has a valid feed of what was published, newest first (%s)",
    async (extension) => {
      const path = `/search.${extension}?q=hampden`;
      await expect.poll(() => fetchText(path)).toContain("A lamp in Hampden");
      const feed = await request(path);
      const text = await feed.text();
      expect(findBrokenFeedRules(extension, text)).toEqual([]);
      expect(text).toContain(`https://baltimore.harborline.example${path}`);
      expect(feed.headers.get("x-robots-tag")).toBe("noindex");
      expect(feed.headers.get("cache-control")).toBe("private, max-age=900");
    },
  );

  it("has headlines, stories and posts in its feed, but nothing without a date of publication", async () => {
    const { items } = JSON.parse(await fetchText("/search.json?q=hampden"));
    const dates = items.map((item: { date_published: string }) => item.date_published);
    expect(dates).toEqual(dates.toSorted().reverse());
    const urls = items.map(({ url }: { url: string }) => new URL(url).pathname);
    expect(urls).toContain("/news/lighthouse");
    expect(urls).toContain("/hampden-bakery-opens");
    expect(urls.filter((url: string) => url.startsWith("/events"))).toEqual([]);
    const headlines = await fetchTitles("/search.json?q=hampden&kind=headline");
    expect(headlines.length).toBeGreaterThan(1);
    expect(headlines).not.toContain("A lamp in Hampden");
    expect(await fetchTitles("/search.json?q=zzyzx")).toEqual([]);
    // A search for "hapmden" suggests another spelling. Its feed does not.
    expect(await fetchTitles("/search.json?q=hapmden")).toEqual([]);
  });

  it("needs a query, and a kind of results that has a feed", async () => {
    const empty = await request("/search.xml?q=+");
    expect([empty.status, await empty.text()]).toEqual([
      400,
      "Write what you search for after ?q=, such as /search.xml?q=harbor.\n",
    ]);
    expect((await request("/search.xml?q=jazz&kind=event")).status).toBe(404);
    const long = await fetchText(`/search.json?q=${"harbor+".repeat(200)}`);
    expect(JSON.parse(long).feed_url.length).toBeLessThan(300);
  });

  it("is not counted each time a feed reader asks, and is on its page", async () => {
    for (let count = 0; count < 3; count += 1) await fetchText("/search.xml?q=polled");
    expect(await fetchText("/search?q=typed")).toContain('href="/search.atom?q=typed"');
    const report = async () =>
      (await runInServer(city.dataDir, ["report", "searches"], { columns: 60 })).output;
    await expect.poll(report).toContain("typed");
    expect(await report()).not.toContain("polled");
  });

  it("of many feeds at the same time is limited per visitor", async () => {
    const words = Array.from({ length: 16 }, (_, index) => `word${index}`);
    const statuses = await Promise.all(
      words.map(async (word) =>
        readStatus(
          await sendRaw(
            city.server.url,
            `GET /search.xml?q=${word} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`,
          ),
        ),
      ),
    );
    expect(new Set(statuses)).toEqual(new Set([200, 429]));
  });
});
