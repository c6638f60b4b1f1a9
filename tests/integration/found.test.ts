import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { RouteConfigEntry } from "@react-router/dev/routes";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import routes from "../../app/routes.ts";
import { startCity, type TestCity } from "../support/city.ts";
import { findBrokenFeedRules } from "../support/feed-rules.ts";
import { runInServer } from "../support/newsroom.ts";
import { createDatabase } from "../support/postgres.ts";
import { findSchemaErrors, readElements } from "../support/xml.ts";

/** Readers' stories, one of each hour before the start. */
const readerStoryCount = 100;
const timeZone = "America/New_York";
/** One of the tests changes it. */
let origin = "https://baltimore.harborline.example";
/** Late in the evening in Baltimore, after more stories than a feed has. */
const startedAt = "2026-11-19T04:00:00Z";
const today = "2026-11-18";
const tomorrow = "2026-11-19";

const story = (title: string, date: string, more = "") => `---
title: ${title}
excerpt: The council voted on the plan.
category: Politics
date: ${date}
author: [Ada Byrd, Sam Cole]
image: { file: harbor.svg, alt: The harbor at dusk. }
${more}---

The council [voted](/about) on the plan.

![A ship](/art/hero.svg)
`;

const event = `---
title: A Real Concert
excerpt: A concert on the pier.
category: Music
location: Pier 5
starts: { on: ${tomorrow}, at: "19:00" }
ends: { on: ${tomorrow}, at: "21:00" }
---

Bring a chair.
`;

/** Two of the samples that we ship. */
const sampleStory = "/news/marble-steps";
const sampleEvent = "/events/book-swap";

let city: TestCity;

beforeAll(async () => {
  const databaseUrl = await createDatabase(inject("postgresUrl"), inject("postgresTemplate"));
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query(
    `insert into story_submissions
       (key, title, text, name, email, state, "createdAt", "decidedAt", "publishedAt", slug, category, day)
     select 'key-' || n, 'Story & number ' || n, repeat('Some words. ', 50), '', '', 'approved',
       hour, hour, hour, 'story-number-' || n, 'Local', (hour at time zone '${timeZone}')::date
     from generate_series(1, ${readerStoryCount}) n,
       lateral (select timestamptz '${startedAt}' - n * interval '1 hour' as hour)`,
  );
  await client.end();
  city = await startCity(
    {},
    { DATABASE_URL: databaseUrl, FAKE_NOW: startedAt },
    {
      "news/the-vote.md": story("The Vote & <More>", today),
      "news/a-draft.md": story("A Draft", today, "draft: true\n"),
      "news/next-century.md": story("Next Century", "2099-01-01"),
      "events/real-concert.md": event,
    },
  );
  // The brief of today has its own sitemap.
  await city.server.waitForOutput("brief.made");
});
afterAll(() => city?.close());

const get = (path: string) => fetch(city.server.url + path);
async function readText(path: string): Promise<string> {
  const response = await get(path);
  expect(response.status, path).toBe(200);
  return response.text();
}

/** Reads the index and all parts, as a search engine does. */
async function crawlSitemaps() {
  const index = await readText("/sitemap.xml");
  const partPaths = readElements(index, "loc").map((url) => url.replace(origin, ""));
  const parts = new Map<string, string>();
  for (const path of partPaths) parts.set(path, await readText(path));
  return { index, parts };
}

const pathsIn = (xml: string) => readElements(xml, "loc").map((url) => url.replace(origin, ""));
/** An editor rejects this story in one of the tests. */
const rejectedPath = "/news/story-number-17";

describe("the sitemaps", () => {
  it("list every story once, valid against the schemas", async () => {
    const { index, parts } = await crawlSitemaps();
    expect(findSchemaErrors(index, "siteindex.xsd")).toBeNull();
    for (const [path, xml] of parts) expect(findSchemaErrors(xml, "sitemap.xsd"), path).toBeNull();
    expect([...parts.keys()]).toEqual(
      ["pages", "stories", "events", "brief", "blog"].map((name) => `/sitemap/${name}.xml`),
    );
    const readerStories = Array.from(
      { length: readerStoryCount },
      (_, index) => `/news/story-number-${index + 1}`,
    );
    const stories = pathsIn(parts.get("/sitemap/stories.xml") ?? "");
    expect(stories.filter((path) => path !== rejectedPath).sort()).toEqual(
      ["/news/the-vote", ...readerStories].filter((path) => path !== rejectedPath).sort(),
    );
  });

  it("are cached", async () => {
    await readText("/sitemap/stories.xml");
    const response = await get("/sitemap/stories.xml");
    await response.arrayBuffer();
    const id = response.headers.get("x-request-id");
    const findLogLine = () =>
      city.server
        .output()
        .split("\n")
        .find((line) => line.includes(`"id":"${id}"`));
    await expect.poll(findLogLine).toContain('"cache":"hit"');
  });

  it("have no page for a part that does not exist", async () => {
    for (const file of ["stories-3.xml", "nothing.xml", "stories"])
      expect((await get(`/sitemap/${file}`)).status, file).toBe(404);
  });

  it("lose a story that an editor rejects, with the page itself", async () => {
    expect(await readText("/sitemap/stories.xml")).toContain(`${rejectedPath}<`);
    const { code } = await runInServer(city.dataDir, ["stories", "reject", "story-number-17"]);
    expect(code).toBe(0);
    await expect
      .poll(async () => readText("/sitemap/stories.xml"))
      .not.toContain(`${rejectedPath}<`);
    expect((await get(rejectedPath)).ok).toBe(false);
  });
});

describe("a story for Google News", () => {
  it("is in the news sitemap for 48 hours, and valid against the schema", async () => {
    const xml = await readText("/news-sitemap.xml");
    expect(findSchemaErrors(xml, "sitemap.xsd")).toBeNull();
    expect(pathsIn(xml)).toContain("/news/the-vote");
    expect(pathsIn(xml)).toContain("/news/story-number-3");
    expect(pathsIn(xml)).not.toContain("/news/story-number-60");
    expect(xml).toContain("<news:title>The Vote &amp; &lt;More&gt;</news:title>");
    expect(xml).toContain("<news:name>Harborline Baltimore</news:name>");
  });
});

const listPages = (entries: RouteConfigEntry[], parent = ""): string[] =>
  entries.flatMap(({ path = "", file, children }) => {
    const fullPath = `${parent}${path === "" ? "" : `/${path}`}`;
    if (children) return listPages(children, fullPath);
    return file.endsWith(".tsx") && !/[:*]/.test(fullPath) ? [fullPath || "/"] : [];
  });

/** Whether search engines may list the page, and its canonical path. */
async function readRobots(path: string): Promise<{ isListed: boolean; canonical: string | null }> {
  const response = await get(path);
  const html = await response.text();
  const canonical = /<link rel="canonical" href="([^"]+)"/.exec(html)?.[1] ?? null;
  const isListed = response.status === 200 && !html.includes('name="robots" content="noindex"');
  return { isListed, canonical };
}

describe("search engines", () => {
  it("learn about all pages that they may list, and no others", async () => {
    const listed = pathsIn(await readText("/sitemap/pages.xml"));
    expect(listed).toContain("/about");
    const canonicalUrls: (string | null)[] = [];
    for (const path of new Set([...listPages(await routes), ...listed])) {
      const { isListed, canonical } = await readRobots(path);
      if (isListed) canonicalUrls.push(canonical);
    }
    expect(canonicalUrls.sort()).toEqual(listed.map((path) => origin + path).sort());
  });

  it("find only canonical pages of records in the other parts", async () => {
    const paths = [
      ...pathsIn(await readText("/sitemap/stories.xml")).slice(0, 2),
      ...pathsIn(await readText("/sitemap/events.xml")),
      ...pathsIn(await readText("/sitemap/blog.xml")).slice(0, 3),
    ];
    expect(paths).toContain("/events/real-concert");
    for (const path of paths)
      expect(await readRobots(path)).toEqual({ isListed: true, canonical: origin + path });
  });

  it("do not learn about samples, drafts and scheduled stories, nor do feed readers", async () => {
    const { parts } = await crawlSitemaps();
    const others = [await readText("/feeds/stories.xml"), await readText("/news-sitemap.xml")];
    const everything = [...parts.values(), ...others].join("\n");
    const hidden = ["/news/a-draft", "/news/next-century", sampleStory, sampleEvent];
    expect(hidden.filter((path) => everything.includes(path))).toEqual([]);
  });

  it.each([
    ["/news/the-vote", ["NewsArticle", "BreadcrumbList"]],
    ["/events/real-concert", ["Event", "BreadcrumbList"]],
    ["/local", ["BreadcrumbList"]],
    [sampleStory, []],
    [sampleEvent, []],
  ])("find in %s the structured data %j", async (path, types) => {
    const html = await readText(path);
    const scripts = html.matchAll(/<script type="application\/ld\+json">([^<]*)<\/script>/g);
    expect([...scripts].map(([, json = ""]) => JSON.parse(json)["@type"])).toEqual(types);
    expect(html.includes('name="robots" content="noindex"')).toBe(types.length === 0);
  });
});

it("a sample event carries its mark into a reader's calendar, and is not in the calendar of all events", async () => {
  const text = await readText(`${sampleEvent}/calendar.ics`);
  const lines = text.replaceAll("\r\n ", "").split("\r\n");
  expect(lines.find((line) => line.startsWith("SUMMARY:"))).toMatch(/^SUMMARY:Sample: /);
  expect(lines.find((line) => line.startsWith("CATEGORIES:"))).toMatch(/,SAMPLE$/);
  expect(lines.find((line) => line.startsWith("DESCRIPTION:"))).toMatch(/:This is a sample/);
  expect(lines).toContain("STATUS:TENTATIVE");
  const all = await readText("/events.ics");
  expect(all.match(/^SUMMARY:.*/gm)).toEqual(["SUMMARY:A Real Concert"]);
});

describe.each(["xml", "atom", "json"] as const)("the %s feed", (extension) => {
  it.each(["/feeds/stories", "/blog/feed", "/feeds/local"])(
    "at %s keeps the rules of its format",
    async (path) => {
      expect(findBrokenFeedRules(extension, await readText(`${path}.${extension}`))).toEqual([]);
    },
  );
});

it("a saved story is in all sitemaps and feeds, and leaves them when its file is removed", async () => {
  const paths = ["/sitemap/stories.xml", "/news-sitemap.xml", "/feeds/stories.json"];
  const findPaths = async () => {
    const found = [];
    for (const path of paths)
      if ((await readText(path)).includes("/news/just-saved")) found.push(path);
    return found;
  };
  await city.save("news/just-saved.md", story("Just Saved", today));
  await expect.poll(findPaths).toEqual(paths);
  await city.remove("news/just-saved.md");
  await expect.poll(findPaths).toEqual([]);
});

it("security.txt says whom to write to, and is valid for months but less than a year", async () => {
  const [contact, expires] = (await readText("/.well-known/security.txt")).split("\n");
  expect(contact).toMatch(/^Contact: mailto:\S+@\S+$/);
  const days = (Date.parse(expires?.replace("Expires: ", "") ?? "") - Date.now()) / 86_400_000;
  expect(days).toBeGreaterThan(100);
  expect(days).toBeLessThan(365);
});

it("robots.txt names both sitemaps, and the blog has its images, also after the origin of the site has changed", async () => {
  const readSitemaps = async () =>
    (await readText("/robots.txt")).split("\n").filter((line) => line.startsWith("Sitemap:"));
  const expected = (site: string) => [
    `Sitemap: ${site}/sitemap.xml`,
    `Sitemap: ${site}/news-sitemap.xml`,
  ];
  expect(await readSitemaps()).toEqual(expected(origin));
  const settings = await readFile(join(city.siteFolder, "site.yaml"), "utf8");
  const newOrigin = "https://www.city.example";
  await city.save("site.yaml", settings.replace(`origin: ${origin}`, `origin: ${newOrigin}`));
  origin = newOrigin;
  expect(await readSitemaps()).toEqual(expected(newOrigin));
  expect(await readText("/sitemap.xml")).toContain(`${newOrigin}/sitemap/pages.xml`);
  // The images of the posts that we ship are still our own.
  const blog = await readText("/blog");
  expect(blog).toContain('src="/art/blog-');
  expect(blog).not.toContain("/blog/picture/");
});
