import { brotliCompressSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startCity, type TestCity } from "../support/city.ts";
import { createRss, type FeedServer, startFeedServer } from "../support/feed-server.ts";
import { runInServer } from "../support/newsroom.ts";
import { expectLightPage, isLightPage } from "../support/page-rules.ts";
import { pagePaths } from "../support/routes.ts";

/** The size of the front page that the low-data edition may have, with its styles. */
const maxBytes = 15 * 1024;

const now = "2026-11-15T15:00:00Z";

let paperServer: FeedServer;
let city: TestCity;
beforeAll(async () => {
  paperServer = await startFeedServer((request, response) => {
    const entries = Array.from({ length: 8 }, (_, index) => ({
      title: `${request.url?.slice(1, 20)} reports item ${index} of a long agenda`,
      date: new Date(Date.parse(now) - index * 60_000).toUTCString(),
    }));
    response.end(createRss("paper.example", entries));
  });
  city = await startCity(
    {
      "sections.yaml": (source) =>
        source
          .replaceAll(/(?<=^ +url: https:\/\/)\S+/gm, (url) => url.replaceAll(/\W+/g, "-"))
          .replaceAll(/(?<=^ +url: )https:\/(?=\S+)/gm, paperServer.url("")),
    },
    { FETCH_ALLOW: paperServer.host, FAKE_NOW: now },
  );
});
afterAll(async () => {
  await city?.close();
  await paperServer.close();
});

const saveData = { "Save-Data": "on" };
const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(city.server.url + path, { headers, redirect: "manual" });
const getText = async (path: string, headers: Record<string, string> = {}) =>
  (await get(path, headers)).text();

const linkTo = (path: string) => new RegExp(`href="${path.replace("?", "\\?")}"`);

describe("every page in the low-data edition", () => {
  it.each(pagePaths)("%s is complete, and makes the browser fetch nothing else", async (path) => {
    const response = await get(path, saveData);
    const page = await response.text();
    expect(response.status).toBe(path === "/no-such-page" ? 404 : 200);
    expectLightPage(page, response.headers, path);
  });

  it.each(["/", "/sports", "/news/marble-steps", "/no-such-page"])(
    "%s has the title, URL and heading of the ordinary page",
    async (path) => {
      const [light, ordinary] = [await getText(path, saveData), await getText(path)];
      expect(isLightPage(ordinary)).toBe(false);
      for (const part of [
        /<title>[^<]*/,
        /<link rel="canonical"[^>]*?(?=\/?>)/,
        /<h1\b[^>]*>([^<]*)/,
      ])
        expect(part.exec(light)?.at(-1)).toBe(part.exec(ordinary)?.at(-1));
    },
  );
});

it("has a front page of at most 15 KB with its styles, also with live headlines", async () => {
  await runInServer(city.dataDir, ["feeds", "refresh"]);
  expect(await getText("/news", saveData)).toContain("reports item 0");
  const response = await get("/", { ...saveData, "Accept-Encoding": "br" });
  expect(Number(response.headers.get("content-length"))).toBeLessThan(maxBytes);
  expect(brotliCompressSync(await response.text()).length).toBeLessThan(maxBytes);
});

describe("the edition", () => {
  it("is light with Save-Data or by its parameter, and full again by its parameter", async () => {
    const pages = [
      ["/terms", {}, false],
      ["/terms", saveData, true],
      ["/terms?edition=light", {}, true],
      ["/terms?edition=light", saveData, true],
      ["/terms?edition=full", saveData, false],
      ["/terms?edition=full", {}, false],
      ["/terms?edition=huge", {}, false],
      ["/terms?edition=huge", saveData, true],
    ] as const;
    // Twice, because the second round comes from the cache.
    for (const [path, headers, expected] of [...pages, ...pages])
      expect(isLightPage(await getText(path, headers)), `${path} ${JSON.stringify(headers)}`).toBe(
        expected,
      );
  });

  it("is carried by links to pages, and only where the reader needs it", async () => {
    const light = await getText("/about", saveData);
    expect(light).toMatch(linkTo("/news?edition=light"));
    expect(light).toMatch(linkTo("/feeds.opml"));
    const chosen = await getText("/about?edition=full", saveData);
    expect(chosen).toMatch(linkTo("/news?edition=full"));
    expect(chosen).toContain('action="/newsletter?edition=full"');
    const ordinary = await getText("/about?edition=full");
    expect(ordinary).toMatch(linkTo("/news"));
    expect(ordinary).not.toMatch(/href="\/[^"]*edition=/);
    expect(ordinary).toMatch(/<a href="\?edition=light"[^>]*>Low-data edition/);
  });

  it("has its own ETag and responds to HEAD like the ordinary page", async () => {
    const [light, ordinary] = [await get("/terms", saveData), await get("/terms")];
    const etag = light.headers.get("etag") ?? "";
    expect(etag).not.toBe(ordinary.headers.get("etag"));
    expect((await get("/terms", { ...saveData, "If-None-Match": etag })).status).toBe(304);
    expect((await get("/terms", { "If-None-Match": etag })).status).toBe(200);
    const head = await fetch(`${city.server.url}/terms`, { method: "HEAD", headers: saveData });
    expect(head.headers.get("etag")).toBe(etag);
  });

  it("does not apply to feeds, data and images", async () => {
    for (const path of ["/feeds/stories.xml", "/about.data", "/art/mark.svg"]) {
      const [plain, saving] = [await get(path), await get(`${path}?edition=light`, saveData)];
      expect(await saving.text(), path).toBe(await plain.text());
      expect(saving.headers.get("vary") ?? "", path).not.toContain("Save-Data");
    }
  });

  it.each([
    ["/archives?section=made-up&edition=light", "/archives?edition=light"],
    ["/blog?page=0&edition=full", "/blog?edition=full"],
    ["/About/?edition=light", "/about?edition=light"],
  ])("survives the redirect of %s", async (path, location) => {
    expect((await get(path, saveData)).headers.get("location")).toBe(location);
  });

  it("is the reader's own for searches and missing pages, which are cached separately", async () => {
    for (const path of ["/search?q=crab", "/no-such-page"])
      for (const [headers, expected] of [
        [{}, false],
        [saveData, true],
        [{}, false],
        [saveData, true],
      ] as const) {
        const response = await get(path, headers);
        const isCompressed = response.headers.has("content-encoding");
        expect(isLightPage(await response.text()), `${path} ${isCompressed}`).toBe(expected);
      }
    const results = await getText("/search?q=harbor&utm_source=mail&edition=light");
    expect(results).toContain('href="?q=harbor&amp;edition=full"');
    expect(results).toContain('<input type="hidden" name="edition" value="light">');
    expect(await getText("/no-such-page?secret=1&edition=light")).not.toContain("secret");
    expect(await getText("//evil.example/x?edition=light")).not.toContain("evil");
  });

  it("stays after a form", async () => {
    const response = await fetch(`${city.server.url}/newsletter?edition=light`, {
      method: "POST",
      body: new URLSearchParams({ email: "reader@example.com", website: "" }),
    });
    const page = await response.text();
    expect(response.status).toBe(200);
    expect(isLightPage(page)).toBe(true);
    expect(page).toContain("reader@example.com");
    expect(page).toMatch(linkTo("/news?edition=light"));
    expect(response.headers.get("vary")).toBe("Accept-Encoding, Save-Data");
  });
});
