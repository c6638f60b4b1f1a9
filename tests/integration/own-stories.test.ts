import { rename, rm, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { startCity, type TestCity } from "../support/city.ts";
import { followLiveStory } from "../support/live-story.ts";
import { runInServer } from "../support/newsroom.ts";

const today = "2026-11-15";
let city: TestCity;
beforeAll(async () => {
  city = await startCity({}, { FAKE_NOW: `${today}T15:00:00Z` });
});
afterAll(() => city.close());

/** Every page and feed that shows a new story of the category Neighborhoods by itself. */
const placesOf = (title: string) => [
  "/",
  "/news",
  "/local",
  "/stories",
  "/archives",
  "/news/marble-steps",
  `/search?q=${encodeURIComponent(title)}`,
  "/feeds/stories.xml",
  "/feeds/stories.atom",
  "/feeds/stories.json",
];

const storyPath = (id: string) => join(city.siteFolder, "news", `${id}.md`);

const writeStory = (id: string, title: string, ...settings: string[]) =>
  writeFile(
    storyPath(id),
    `---
title: ${title}
excerpt: What we know so far.
category: Neighborhoods
image: { file: marble-steps.svg, alt: White steps }
${settings.join("\n")}
---

The first paragraph of the story.
`,
  );

const get = (path: string) => fetch(city.server.url + path, { redirect: "manual" });
const readText = async (path: string) => (await get(path)).text();
const readStatus = async (path: string) => (await get(path)).status;

async function pathsWithout(paths: string[], text: string): Promise<string[]> {
  const bodies = await Promise.all(paths.map(readText));
  return paths.filter((_, index) => !bodies[index]?.includes(text));
}

describe("a story of the newsroom", () => {
  it("is on every page and feed after it was saved, and gone from all of them after it was deleted", async () => {
    const title = "Ferry Returns to Canton";
    const places = placesOf(title);
    const pages = places.filter((path) => !path.startsWith("/search"));
    // Every page is in the cache before the story is saved. The page of a search repeats the query.
    expect(await pathsWithout(places, title)).toEqual(pages);
    await writeStory("ferry-returns", title, `date: ${today}`, "author: Ada Byrd");
    await expect.poll(() => readStatus("/news/ferry-returns")).toBe(200);
    await expect.poll(() => pathsWithout(places, title)).toEqual([]);
    await expect.poll(() => readText(places[6] ?? "")).toContain('href="/news/ferry-returns"');
    expect(await readText("/sitemap.xml")).toContain("/sitemap/stories.xml");
    const stories = await readText("/sitemap/stories.xml");
    expect(stories).toContain("/news/ferry-returns<");
    expect(await readText("/news-sitemap.xml")).toContain(title);
    // Samples are in no sitemap.
    expect(stories).not.toContain("marble-steps");
    const { output } = await runInServer(city.dataDir, ["newsletter", "preview", city.dataDir]);
    expect(output).toContain(title);

    await rm(storyPath("ferry-returns"));
    await expect.poll(() => readStatus("/news/ferry-returns")).toBe(410);
    await expect.poll(() => pathsWithout(pages, title)).toEqual(pages);
    const gone = await get("/news/ferry-returns");
    expect(gone.status).toBe(410);
    expect(await gone.text()).toContain("No longer available");
    expect(await readStatus("/news/never-existed")).toBe(404);
  });

  it("that was corrected says so on its page, on /corrections, in the feeds and to search engines", async () => {
    const note = "The bridge has 60 lamps, not 600.";
    await writeStory(
      "bridge-lamps",
      "Lamps for the Bridge",
      "date: 2026-11-10 09:00",
      "corrections:",
      `  - { date: ${today}, text: "${note}" }`,
    );
    const paths = ["/news/bridge-lamps", "/corrections"];
    await expect.poll(() => pathsWithout(paths, note)).toEqual([]);
    expect(await readText("/corrections")).toContain('href="/news/bridge-lamps#corrections"');
    const page = await readText("/news/bridge-lamps");
    expect(page).toContain("Updated");
    const facts = [...page.matchAll(/<script type="application\/ld\+json">([^<]*)<\/script>/g)];
    const article = facts
      .map(([, json = ""]) => JSON.parse(json))
      .find((fact) => fact["@type"] === "NewsArticle");
    expect(article.dateModified > article.datePublished).toBe(true);
    expect(JSON.stringify(article.correction)).toContain(note);
    const { items } = JSON.parse(await readText("/feeds/stories.json"));
    const item = items.find(({ url }: { url: string }) => url.endsWith("/news/bridge-lamps"));
    expect(Date.parse(item.date_modified)).toBeGreaterThan(Date.parse(item.date_published));
    await rm(storyPath("bridge-lamps"));
  });

  it("that was renamed is suggested for its old path, and redirects.yaml leads there", async () => {
    const title = "Oyster Reef Grows";
    await writeStory("oyster-reef", title, `date: ${today}`);
    await expect.poll(() => readStatus("/news/oyster-reef")).toBe(200);
    // Until then, the server does not know that the old path was ever published.
    await expect.poll(() => readText("/stories")).toContain(title);
    await rename(storyPath("oyster-reef"), storyPath("reef-grows"));
    const readStatuses = async () => [
      await readStatus("/news/oyster-reef"),
      await readStatus("/news/reef-grows"),
    ];
    await expect.poll(readStatuses).toEqual([410, 200]);
    const { output } = await runInServer(city.dataDir, ["report", "missing"]);
    expect(output).toContain("/news/oyster-reef: /news/reef-grows");
    await city.edit("redirects.yaml", (source) => `${source}/news/oyster-reef: /news/reef-grows`);
    await expect.poll(readStatuses).toEqual([301, 200]);
    expect((await get("/news/oyster-reef")).headers.get("location")).toBe("/news/reef-grows");
    await rm(storyPath("reef-grows"));
  });

  it("is said to be no longer available if redirects.yaml says that its old path is gone", async () => {
    const readBoth = () => Promise.all(["/news/old-fair", "/old-offer"].map(readText));
    for (const html of await readBoth()) expect(html).toContain("Oops! Page not found");
    await city.edit(
      "redirects.yaml",
      (source) => `${source}\n/news/old-fair: gone\n/old-offer: gone`,
    );
    await expect.poll(() => readStatus("/old-offer")).toBe(410);
    expect(await readStatus("/news/old-fair")).toBe(410);
    for (const html of await readBoth()) {
      expect(html).toContain("No longer available");
      expect(html).not.toContain("Oops!");
    }
  });

  it("that is a draft is invisible everywhere, and its signed link shows it until a new link is made", async () => {
    const title = "Secret Budget of the Zoo";
    await writeStory("zoo-budget", title, `date: ${today}`, "draft: true");
    const preview = async (...options: string[]) => {
      const command = ["stories", "preview", "zoo-budget", ...options];
      const { output } = await runInServer(city.dataDir, command);
      return /\/preview\/\S+/.exec(output)?.[0] ?? "";
    };
    const link = await preview();
    await expect.poll(() => readStatus(link)).toBe(200);
    const places = [
      ...placesOf("budget"),
      "/news/zoo-budget",
      "/sitemap/stories.xml",
      "/news-sitemap.xml",
    ];
    expect(await pathsWithout(places, title)).toEqual(places);
    expect(await readStatus("/news/zoo-budget")).toBe(404);

    const response = await get(link);
    expect(response.headers.get("cache-control")).toBe("no-store");
    const page = await response.text();
    for (const text of [title, "Preview of a draft.", 'name="robots" content="noindex"'])
      expect(page).toContain(text);
    const newLink = await preview("--new");
    expect(await readText(link)).toContain("This preview link does not work");
    expect(await readStatus(newLink)).toBe(200);

    await writeStory("zoo-budget", title, `date: ${today}`);
    await expect.poll(() => readStatus("/news/zoo-budget")).toBe(200);
    await expect.poll(() => pathsWithout(placesOf(title), title)).toEqual([]);
    // The link now leads to the public page.
    expect((await get(newLink)).headers.get("location")).toBe("/news/zoo-budget");
    await rm(storyPath("zoo-budget"));
  });
});

describe("a post", () => {
  const text = (settings: string) => `---
title: Secret Menu of the Market
excerpt: What the cooks eat.
date: ${today}
${settings}
---

Soup.
`;

  it.each([
    [
      "file in blog/",
      "menu",
      async () => {
        await writeFile(join(city.siteFolder, "blog/menu.md"), text("draft: true"));
      },
    ],
    [
      "row of the database",
      "old-menu",
      async () => {
        const file = join(city.dataDir, "old-menu.json");
        const facts = { title: "Secret Menu of the Market", excerpt: "What the cooks eat." };
        const post = { slug: "old-menu", ...facts, date: today, blog: "Soup.", state: "draft" };
        await writeFile(file, JSON.stringify(post));
        await runInServer(city.dataDir, ["blog", "import", file]);
      },
    ],
  ])("that is a draft, as a %s, is shown by its signed link only", async (_kind, slug, write) => {
    await write();
    const { output } = await runInServer(city.dataDir, ["blog", "preview", slug]);
    const [link = ""] = /\/preview\/\S+/.exec(output) ?? [];
    await expect.poll(() => readStatus(link)).toBe(200);
    const response = await get(link);
    expect(response.headers.get("cache-control")).toBe("no-store");
    const page = await response.text();
    for (const part of ["Secret Menu of the Market", "Soup.", "Preview of a draft."])
      expect(page).toContain(part);
    expect(await readStatus(`${link}x`)).toBe(403);
    expect(await readStatus(link.replace("/blog", ""))).toBe(403);
    expect(await readStatus(`/blog/${slug}`)).toBe(404);
    expect(await readText("/blog")).not.toContain("Secret Menu");
  });
});

describe("a live story", () => {
  const write = (live: boolean, ...entries: string[]) => save("storm", live, ...entries);
  const save = (id: string, live: boolean, ...entries: string[]) =>
    city.save(
      `news/${id}.md`,
      `---
title: Storm in the Harbor
excerpt: What we know so far.
category: Neighborhoods
date: ${today} 09:00
live: ${live}
---

The harbor is closed.

${entries.join("\n\n")}
`,
    );
  const follow = () => followLiveStory(city.server.url, "storm");

  it("tells its readers about every change until it ends, and feeds update their item", async () => {
    await write(true, "## 09:30 The first entry");
    const { status, nextVersion } = await follow();
    expect(status).toBe(200);
    const first = await nextVersion();
    const head = await fetch(`${city.server.url}/api/live/storm`, { method: "HEAD" });
    expect(head.status).toBe(200);
    await write(true, "## 09:30 The first entry", "## 09:50 The second entry");
    expect(await nextVersion()).not.toBe(first);
    const html = await readText("/news/storm");
    expect(html.indexOf("The second entry</h2>")).toBeGreaterThan(0);
    expect(html.indexOf("The second entry</h2>")).toBeLessThan(
      html.indexOf("The first entry</h2>"),
    );
    expect(html).toContain("Reload this page for new entries");
    const data =
      /<script type="application\/ld\+json">(\{[^<]*LiveBlogPosting[^<]*)<\/script>/.exec(
        html,
      )?.[1];
    expect(JSON.parse(data ?? "{}")).toMatchObject({
      "@type": "LiveBlogPosting",
      coverageStartTime: `${today}T09:30:00-05:00`,
      dateModified: `${today}T09:50:00-05:00`,
      liveBlogUpdate: [
        { headline: "The second entry", url: expect.stringMatching(/\/news\/storm#at-09-50$/) },
        { headline: "The first entry" },
      ],
    });
    const { items } = JSON.parse(await readText("/feeds/stories.json"));
    expect(items.filter(({ url }: { url: string }) => url.endsWith("/news/storm"))).toMatchObject([
      { date_modified: `${today}T14:50:00.000Z` },
    ]);
    await write(false, "## 09:30 The first entry", "## 09:50 The second entry");
    expect(await nextVersion()).toBe("over");
    expect(await nextVersion()).toBeNull();
    const over = await readText("/news/storm");
    expect(over).toContain("This story is no longer updated.");
    expect(over).toContain(`"coverageEndTime":"${today}T09:50:00-05:00"`);
    expect(over).not.toContain("Reload this page");
    expect(await readStatus("/api/live/storm")).toBe(404);
    expect(await readStatus("/api/live/marble-steps")).toBe(404);
  });

  it("can end for a connection that still waits for the stream of another one", async () => {
    await save("storm", true, "## 09:30 The first entry");
    await save("flood", true, "## 09:30 The water rises");
    const { hostname, port } = new URL(city.server.url);
    const socket = connect(Number(port), hostname);
    onTestFinished(() => void socket.destroy());
    const toRequest = (id: string) => `GET /api/live/${id} HTTP/1.1\r\nHost: ${hostname}\r\n\r\n`;
    socket.write(toRequest("storm") + toRequest("flood"));
    let received = "";
    socket.on("data", (chunk) => {
      received += chunk;
    });
    const countVersions = () => received.split("event: version").length - 1;
    await expect.poll(countVersions).toBe(1);
    const { nextVersion } = await followLiveStory(city.server.url, "flood");
    await nextVersion();
    await save("flood", false, "## 09:30 The water rises");
    expect(await nextVersion()).toBe("over");
    await save("storm", true, "## 09:30 The first entry", "## 09:50 The second entry");
    await expect.poll(countVersions).toBe(2);
    expect(await readStatus("/healthz")).toBe(200);
  });

  it("has a limited number of streams per visitor, and a closed one makes room", async () => {
    await write(true, "## 09:30 The first entry");
    const streams = await Promise.all(Array.from({ length: 20 }, follow));
    expect(streams.map(({ status }) => status)).toEqual(streams.map(() => 200));
    const refused = await get("/api/live/storm");
    expect(refused.status).toBe(429);
    expect(refused.headers.get("retry-after")).toBe("30");
    for (const { close } of streams) close();
    await expect
      .poll(async () => {
        const { status, close } = await follow();
        close();
        return status;
      })
      .toBe(200);
  });
});

// The last test, because it changes the time.
it("a story that is scheduled appears at its minute on cached pages, without a restart", async () => {
  const [id, title] = ["night-market", "Night Market Opens"];
  const setTime = (time: string) => city.server.setClock(`${today}T${time}:00Z`);
  const texts = { "/sitemap/stories.xml": `/news/${id}<`, [`/news/${id}`]: title };
  const pages = ["/", "/news", "/local", "/stories", "/feeds/stories.xml"];
  const expected = Object.entries({
    ...Object.fromEntries(pages.map((path) => [path, title])),
    ...texts,
  });
  const findShown = async () => {
    const bodies = await Promise.all(expected.map(([path]) => readText(path)));
    return expected.filter(([, text], index) => bodies[index]?.includes(text)).length;
  };
  // It is 6:10 PM in Baltimore.
  await setTime("23:10");
  await writeStory(id, title, `date: ${today} 18:30`);
  await city.server.waitForOutput(`"event":"site.changed","file":"news/${id}.md"`);
  expect(await findShown()).toBe(0);
  await setTime("23:29");
  expect(await findShown()).toBe(0);
  await setTime("23:30");
  // A page that was being rendered when the clock was set may still be sent without it.
  await expect.poll(findShown).toBe(expected.length);
});
