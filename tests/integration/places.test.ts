import ICAL from "ical.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startCity, type TestCity } from "../support/city.ts";
import { findBrokenFeedRules } from "../support/feed-rules.ts";
import { createRss, type FeedServer, startFeedServer } from "../support/feed-server.ts";
import { runInServer } from "../support/newsroom.ts";

let paperServer: FeedServer;
let city: TestCity;

beforeAll(async () => {
  paperServer = await startFeedServer((request, response) => {
    if (request.url === "/loud") {
      const entries = Array.from({ length: 50 }, (_, index) => ({
        title: `Open house ${index}`,
        summary: "Serving Waverly and all of Baltimore.",
      }));
      response.end(createRss("loud.example", entries));
      return;
    }
    const titles = [
      "Hampden bakery opens",
      "Hampden-Sydney wins again",
      "Café owners in Hampdén meet",
      "Council votes on the harbor",
      "Canton, Ohio honors players",
    ];
    response.end(
      createRss("paper.example", [
        ...titles.map((title) => ({ title })),
        { title: "Waverly library reopens", date: daysAgo(2).toUTCString() },
      ]),
    );
  });
  city = await startCity(
    {
      "sections.yaml": (source) =>
        source
          .replaceAll(/https:\/\/baltimorefishbowl\.com\S*/g, paperServer.url("/local"))
          .replaceAll(/https:\/\/www\.southbmore\.com\S*/g, paperServer.url("/loud")),
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
    { FETCH_ALLOW: paperServer.host },
  );
  for (const source of ["baltimore-fishbowl", "southbmore"])
    await runInServer(city.dataDir, ["feeds", "refresh", source]);
});
afterAll(async () => {
  await city.close();
  await paperServer.close();
});

const daysAgo = (days: number) => new Date(Date.now() - days * 24 * 60 * 60 * 1000);
const request = (path: string, headers: Record<string, string> = {}) =>
  fetch(city.server.url + path, { headers, redirect: "manual" });
const fetchText = async (path: string) => (await request(path)).text();
const fetchTitles = async (path: string): Promise<string[]> =>
  JSON.parse(await fetchText(path)).items.map(({ title }: { title: string }) => title);

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
    await expect
      .poll(async () => (await request("/local?place=council")).status, { timeout: 15_000 })
      .toBe(200);
    expect(await fetchTitles("/feeds/local.json?place=council")).toEqual([
      "Council votes on the harbor",
    ]);
  });
});

describe("other filters have feeds too:", () => {
  it("a source", async () => {
    const titles = await fetchTitles("/feeds/local.json?source=baltimore-fishbowl");
    expect(titles).toHaveLength(6);
    expect(await fetchText("/feeds/local.xml?source=baltimore-fishbowl")).toContain(
      "<title>Baltimore Fishbowl | Harborline Baltimore</title>",
    );
    expect(await fetchTitles("/feeds/local.json?source=baltimore-brew")).toEqual([]);
    for (const path of ["/feeds/local.xml?source=nobody", "/feeds/world.xml?source=baltimore-brew"])
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
      await expect.poll(() => fetchText(path), { timeout: 15_000 }).toContain("A lamp in Hampden");
      const feed = await request(path);
      const text = await feed.text();
      expect(findBrokenFeedRules(extension, text)).toEqual([]);
      expect(text).toContain(`https://baltimore.harborline.example${path}`);
      expect(feed.headers.get("x-robots-tag")).toBe("noindex");
      expect(feed.headers.get("cache-control")).toBe("private, max-age=900");
      const etag = feed.headers.get("etag") ?? "";
      expect((await request(path, { "If-None-Match": etag })).status).toBe(304);
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
    await expect.poll(report, { timeout: 20_000 }).toContain("typed");
    expect(await report()).not.toContain("polled");
  });

  it("of many feeds is limited per visitor", async () => {
    const statuses = await Promise.all(
      Array.from({ length: 60 }, async (_, index) => {
        const response = await request(`/search.xml?q=word${index}`);
        await response.arrayBuffer();
        return response.status;
      }),
    );
    expect(new Set(statuses)).toEqual(new Set([200, 503]));
  });
});
