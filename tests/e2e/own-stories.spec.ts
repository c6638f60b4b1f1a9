import { rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type APIRequestContext, test } from "@playwright/test";
import { startCity, type TestCity } from "../support/city.ts";
import { runInServer } from "../support/newsroom.ts";
import { expect, phone } from "./support.ts";

// One city for all walks below. Each walk has its own stories, and deletes them.
test.describe.configure({ mode: "serial" });
let city: TestCity;
test.beforeAll(async () => {
  city = await startCity({});
});
test.afterAll(() => city.close());

/** A saved file must be live within this time. */
const liveMs = 2_000;

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

const today = () =>
  new Intl.DateTimeFormat("sv-SE", { timeZone: "America/New_York" }).format(new Date());

type Response = { path: string; status: number; body: string };

const readAll = (request: APIRequestContext, paths: string[]): Promise<Response[]> =>
  Promise.all(
    paths.map(async (path) => {
      const response = await request.get(city.server.url + path);
      return { path, status: response.status(), body: await response.text() };
    }),
  );

/** The paths that do not contain the text, as far as they are known. */
async function pathsWithout(
  request: APIRequestContext,
  paths: string[],
  text: string,
): Promise<string[]> {
  const responses = await readAll(request, paths);
  return responses.filter(({ body }) => !body.includes(text)).map(({ path }) => path);
}

/** Waits until the file that was just saved is live: what `read` returns is as expected. */
const expectSoon = <T>(read: () => Promise<T>) =>
  expect.poll(read, { timeout: liveMs, intervals: [100] });

test("a saved story is on every page and feed within two seconds, and can be reached by clicking", async ({
  page,
  request,
}) => {
  const title = "Ferry Returns to Canton";
  const places = placesOf(title);
  // Every page is in the cache before the story is saved.
  expect(await pathsWithout(request, places, title)).toEqual(
    places.filter((path) => !path.startsWith("/search")),
  );
  await writeStory("ferry-returns", title, `date: ${today()}`, "author: Ada Byrd");
  await expectSoon(() => pathsWithout(request, places, title)).toEqual([]);
  const [index, stories, news] = await readAll(request, [
    "/sitemap.xml",
    "/sitemap/stories.xml",
    "/news-sitemap.xml",
  ]);
  expect(index?.body).toContain("/sitemap/stories.xml");
  expect(stories?.body).toContain("/news/ferry-returns<");
  expect(news?.body).toContain(title);
  // Samples are in no sitemap.
  expect(stories?.body).not.toContain("marble-steps");
  const { output } = await runInServer(city.dataDir, ["newsletter", "preview", city.dataDir]);
  expect(output).toContain(title);

  await page.setViewportSize(phone);
  for (const start of ["/", "/news", "/local", "/stories", "/archives"]) {
    await page.goto(city.server.url + start);
    await page.getByRole("main").getByRole("link", { name: title }).first().click();
    await expect(page.getByRole("heading", { level: 1, name: title })).toBeVisible();
    await expect(page.getByRole("main")).toContainText("By Ada Byrd");
    await expect(page).toHaveURL(/\/news\/ferry-returns$/);
  }
});

test("a corrected story says so on its page, on /corrections, in the feeds and to search engines", async ({
  page,
  request,
}) => {
  const note = "The ferry has 60 seats, not 600.";
  await writeStory(
    "ferry-returns",
    "Ferry Returns to Canton",
    "date: 2026-11-10 09:00",
    "author: Ada Byrd",
    "corrections:",
    `  - { date: ${today()}, text: "${note}" }`,
  );
  const paths = ["/news/ferry-returns", "/corrections"];
  await expectSoon(() => pathsWithout(request, paths, note)).toEqual([]);
  await page.goto(`${city.server.url}/`);
  await page.getByRole("contentinfo").getByRole("link", { name: "Corrections" }).click();
  await page.getByRole("main").getByRole("link", { name: "Ferry Returns to Canton" }).click();
  await expect(page.getByRole("main")).toContainText(note);
  await expect(page.getByRole("main")).toContainText(/Updated/);
  const facts = await page.locator('script[type="application/ld+json"]').allTextContents();
  const article = JSON.parse(facts.find((text) => text.includes("NewsArticle")) ?? "{}");
  expect(article.dateModified > article.datePublished).toBe(true);
  expect(JSON.stringify(article.correction)).toContain(note);
  const [feed] = await readAll(request, ["/feeds/stories.json"]);
  const item = JSON.parse(feed?.body ?? "").items.find(({ url }: { url: string }) =>
    url.endsWith("/news/ferry-returns"),
  );
  expect(Date.parse(item.date_modified)).toBeGreaterThan(Date.parse(item.date_published));
});

test("a renamed story redirects its old readers, also those who click", async ({
  page,
  request,
}) => {
  const title = "Ferry Returns to Canton";
  await writeStory("ferry-returns", title, `date: ${today()}`);
  await expectSoon(() => pathsWithout(request, ["/stories"], title)).toEqual([]);
  await page.goto(`${city.server.url}/stories`);
  await rename(storyPath("ferry-returns"), storyPath("canton-ferry"));
  const readStatuses = async () =>
    (await readAll(request, ["/news/ferry-returns", "/news/canton-ferry"])).map(
      ({ status }) => status,
    );
  await expectSoon(readStatuses).toEqual([410, 200]);
  const { output } = await runInServer(city.dataDir, ["report", "missing"]);
  expect(output).toContain("/news/ferry-returns: /news/canton-ferry");
  await city.edit("redirects.yaml", (source) => `${source}/news/ferry-returns: /news/canton-ferry`);
  await expectSoon(readStatuses).toEqual([200, 200]);
  // The page still has the link to the old name.
  await page.getByRole("main").getByRole("link", { name: "Ferry Returns" }).first().click();
  await expect(page).toHaveURL(/\/news\/canton-ferry$/);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(title);
});

test("a deleted story is gone from every page, and its URL answers 410 with the page for lost readers", async ({
  page,
  request,
}) => {
  const title = "Ferry Returns to Canton";
  const places = placesOf(title).filter((path) => !path.startsWith("/search"));
  await writeStory("canton-ferry", title, `date: ${today()}`);
  await expectSoon(() => pathsWithout(request, places, title)).toEqual([]);
  await rm(storyPath("canton-ferry"));
  await expectSoon(() => pathsWithout(request, places, title)).toEqual(places);
  const response = await page.goto(`${city.server.url}/news/canton-ferry`);
  expect(response?.status()).toBe(410);
  await expect(page.getByRole("heading", { level: 1 })).toContainText("Page not found");
  const [never] = await readAll(request, ["/news/never-existed"]);
  expect(never?.status).toBe(404);
});

test("a draft is invisible everywhere, and its signed link shows it until a new link is made", async ({
  page,
  request,
}) => {
  const title = "Secret Budget of the Zoo";
  await writeStory("zoo-budget", title, `date: ${today()}`, "draft: true");
  const preview = async (...options: string[]) => {
    const { output } = await runInServer(city.dataDir, [
      "stories",
      "preview",
      "zoo-budget",
      ...options,
    ]);
    return city.server.url + (/\/preview\/\S+/.exec(output)?.[0] ?? "");
  };
  const link = await preview();
  await expectSoon(async () => (await request.get(link)).status()).toBe(200);
  const places = [...placesOf("budget"), "/news/zoo-budget", "/sitemap/stories.xml"];
  expect(await pathsWithout(request, [...places, "/news-sitemap.xml"], title)).toEqual([
    ...places,
    "/news-sitemap.xml",
  ]);
  const [direct] = await readAll(request, ["/news/zoo-budget"]);
  expect(direct?.status).toBe(404);

  await page.goto(link);
  await expect(page.getByRole("heading", { level: 1, name: title })).toBeVisible();
  await expect(page.getByRole("complementary", { name: "Preview" })).toContainText(
    "Preview of a draft.",
  );
  await expect(page.locator('meta[name="robots"]')).toHaveAttribute("content", "noindex");
  expect((await request.get(link)).headers()["cache-control"]).toBe("no-store");

  const newLink = await preview("--new");
  await page.goto(link);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(
    "This preview link does not work",
  );
  expect(await request.get(newLink).then((response) => response.status())).toBe(200);

  await writeStory("zoo-budget", title, `date: ${today()}`);
  await expectSoon(() => pathsWithout(request, placesOf(title), title)).toEqual([]);
  // The link now leads to the public page.
  await page.goto(newLink);
  await expect(page).toHaveURL(/\/news\/zoo-budget$/);
  await rm(storyPath("zoo-budget"));
});

test("a scheduled story appears at its minute, without a restart", async ({ request }) => {
  const title = "Night Market Opens";
  // The server believes that it starts a few seconds before the story is due.
  const scheduled = await startCity(
    {
      "news/marble-steps.md": (source) =>
        source
          .replace(/^title: .*$/m, `title: ${title}`)
          .replace(/^date: .*$/m, "date: 2027-03-01 18:30")
          .replace("sample: true\n", ""),
    },
    { FAKE_NOW: "2027-03-01T23:29:50Z" },
  );
  try {
    const places = [
      "/",
      "/news",
      "/local",
      "/stories",
      "/feeds/stories.xml",
      "/sitemap/stories.xml",
    ];
    const paths = ["/news/marble-steps", ...places];
    const readFrom = async (path: string) => {
      const response = await request.get(scheduled.server.url + path);
      return {
        path,
        isShown: (await response.text()).includes(
          path.includes("sitemap") ? "/news/marble-steps<" : title,
        ),
      };
    };
    const readHidden = async () =>
      (await Promise.all(paths.map(readFrom)))
        .filter(({ isShown }) => !isShown)
        .map(({ path }) => path);
    expect(await readHidden()).toEqual(paths);
    await expect.poll(readHidden, { timeout: 15_000, intervals: [200] }).toEqual([]);
  } finally {
    await scheduled.close();
  }
});
