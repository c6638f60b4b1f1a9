import { writeFile } from "node:fs/promises";
import type { RequestListener } from "node:http";
import { join } from "node:path";
import { parseFeed } from "feedsmith";
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { startCity, type TestCity } from "../support/city.ts";
import { type FeedServer, startFeedServer } from "../support/feed-server.ts";
import { runInServer } from "../support/newsroom.ts";

const keyHeaders = {
  Authorization: "Bearer harborline-baltimore-public",
  "Content-Type": "application/json",
};
const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
/** Noon in Baltimore. The sample posts and those of the tests are older. */
const noon = "2026-11-18T17:00:00Z";

describe("our own blog", () => {
  let city: TestCity;
  let imageServer: FeedServer;
  beforeAll(async () => {
    imageServer = await startFeedServer((request, response) => {
      if (request.url === "/boat.png") response.end(png);
      else if (request.url === "/page.png")
        response.setHeader("Content-Type", "image/png").end("<script>alert(1)</script>");
      else response.writeHead(404).end();
    });
    city = await startCity({}, { FETCH_ALLOW: imageServer.host, FAKE_NOW: noon });
  });
  afterAll(async () => {
    await city?.close();
    await imageServer?.close();
  });

  const get = (path: string, headers: Record<string, string> = {}) =>
    fetch(city.server.url + path, { headers, redirect: "manual" });
  const callFunction = async (query: string) =>
    (await get(`/functions/v1/${query}`, keyHeaders)).json();
  const newsroom = (...args: string[]) => runInServer(city.dataDir, args, { cwd: city.dataDir });
  /** Saves a post until the end of the test. */
  const savePost = async (slug: string, front: string[], text: string) => {
    const file = `blog/${slug}.md`;
    await city.save(file, `---\n${front.join("\n")}\n---\n${text}\n`);
    onTestFinished(() => city.remove(file));
  };

  it("lists ten posts per page, newest first, for this city and for unknown hosts", async () => {
    const firstPage = await callFunction("get_metainfo?domain=baltimore.harborline.example&page=1");
    expect(firstPage).toMatchObject({ total: 34 });
    expect(firstPage.blogs).toHaveLength(10);
    for (const query of [
      "domain=WWW.Baltimore.harborline.example:80&page=0",
      "domain=localhost&page=x",
      "page=-1",
      "",
    ])
      expect(await callFunction(`get_metainfo?${query}`), query).toEqual(firstPage);
    expect((await callFunction("get_metainfo?domain=localhost&page=4")).blogs).toHaveLength(4);
    expect(await callFunction("get_metainfo?domain=annapolis.harborline.example&page=1")).toEqual({
      blogs: [],
      total: 0,
    });
  });

  it("returns a post as the author wrote it, and as safe HTML", async () => {
    const post = await callFunction("get_details?slug=film-your-street-with-a-phone");
    expect(post).toMatchObject({
      date: "2026-09-16",
      dateText: "September 16, 2026",
      domain: "baltimore.harborline.example",
      blog: expect.stringContaining("## Choose one small thing"),
      html: expect.stringContaining("<h2>Choose one small thing</h2>"),
      youtubeShortsUrl: expect.stringContaining("jNQXAC9IVRw"),
    });
    expect(post.related).toHaveLength(3);
  });

  it("explains what is wrong with a request, and never responds with a server error", async () => {
    const readStatus = async (query: string, headers = keyHeaders) =>
      (await get(`/functions/v1/${query}`, headers)).status;
    expect(await readStatus("get_metainfo", { ...keyHeaders, Authorization: "" })).toBe(401);
    expect(
      await readStatus("get_details?slug=x", { ...keyHeaders, Authorization: "Bearer wrong" }),
    ).toBe(401);
    expect(await readStatus("get_details")).toBe(400);
    expect(await readStatus(`get_details?slug=${"a".repeat(201)}`)).toBe(400);
    for (const slug of ["none", "%00", "..%2Fx", "A", "a--b", "%F0%9F%A6%80", "a%20b"])
      expect(await callFunction(`get_details?slug=${slug}`), slug).toBeNull();
    const response = await get("/functions/v1/get_metainfo");
    expect(await response.json()).toEqual({ error: expect.stringContaining("public key") });
  });

  it("can be called by pages of the network's cities, but not by other sites", async () => {
    const readAllowedOrigin = async (origin: string, method: string) => {
      const response = await fetch(`${city.server.url}/functions/v1/get_metainfo`, {
        method,
        headers: { ...keyHeaders, origin },
      });
      await response.arrayBuffer();
      return response.headers.get("access-control-allow-origin");
    };
    for (const method of ["OPTIONS", "GET"]) {
      expect(await readAllowedOrigin("https://annapolis.harborline.example", method)).toBe(
        "https://annapolis.harborline.example",
      );
      expect(await readAllowedOrigin("https://evil.example", method)).toBeNull();
    }
  });

  it("publishes a file when it is saved, and unpublishes it when it is deleted", async () => {
    const front = ["metaTitle: Fresh Ink", "metaDescription: D"];
    expect((await get("/blog/fresh-ink")).status).toBe(404);
    await city.save(
      "blog/fresh-ink.md",
      `---\n${[...front, "date: 2026-01-02"].join("\n")}\n---\n*Hello*.\n`,
    );
    await savePost("not-yet", [...front, "date: 2999-01-02"], "*Hello*.");
    expect((await get("/blog/fresh-ink")).status).toBe(200);
    expect((await callFunction("get_metainfo?domain=localhost")).total).toBe(35);
    expect((await get("/blog/not-yet")).status).toBe(404);
    expect((await get("/blog/feed.xml")).headers.get("expires")).toMatch(/2999/);
    await city.remove("blog/fresh-ink.md");
    expect((await get("/blog/fresh-ink")).status).toBe(404);
  });

  it("shows authors, updates and corrections on the page, in the feed and to search engines", async () => {
    const front = [
      "metaTitle: With Notes",
      "metaDescription: D",
      "date: 2026-11-14T23:30:00",
      "updated: 2026-11-15 09:00",
      "author: [Ada Byrd, Sam Cole]",
      'corrections: [{ date: 2026-11-15, text: "The pier is 5 < 6." }]',
      "youtubeShortsUrl: not a video",
    ];
    await savePost("with-notes", front, "<p>Hello</p>");
    const html = await (await get("/blog/with-notes")).text();
    const text = html.replaceAll(/<[^>]*>/g, "");
    expect(text).toContain("By Ada Byrd and Sam Cole");
    expect(text).toContain("Published November 14, 2026");
    expect(text).toContain("Updated November 15, 2026");
    expect(text).toContain("Correction, November 15, 2026: The pier is 5 &lt; 6.");
    const [, data = ""] = /<script type="application\/ld\+json">(.*?)<\/script>/.exec(html) ?? [];
    expect(JSON.parse(data)).toMatchObject({
      datePublished: "2026-11-14T23:30:00-05:00",
      dateModified: "2026-11-15T09:00:00-05:00",
      author: [{ name: "Ada Byrd" }, { name: "Sam Cole" }],
      correction: [{ datePublished: "2026-11-15", text: "The pier is 5 < 6." }],
    });
    expect(await callFunction("get_details?slug=with-notes")).toMatchObject({
      date: "2026-11-14T23:30:00",
      dateText: "November 14, 2026",
      youtubeShortsUrl: "not a video",
      author: ["Ada Byrd", "Sam Cole"],
    });
    const feed = await (await get("/blog/feed.json")).json();
    expect(
      feed.items.find((item: { url: string }) => item.url.endsWith("/with-notes")),
    ).toMatchObject({
      date_published: "2026-11-15T04:30:00.000Z",
      date_modified: "2026-11-15T14:00:00.000Z",
      authors: [{ name: "Ada Byrd" }, { name: "Sam Cole" }],
      content_html: expect.stringContaining("Correction, November 15, 2026:"),
    });
  });

  it("does not show a draft anywhere", async () => {
    const front = ["metaDescription: D", "date: 2026-11-01"];
    await savePost("hidden", ["metaTitle: Hidden Zebra", ...front, "draft: true"], "Zebra.");
    await savePost("shown", ["metaTitle: Shown Zebra", ...front], "Zebra.");
    // The search index follows a moment later.
    await expect
      .poll(async () => (await get("/search?q=zebra")).text())
      .toMatch(/Shown Zebra|\/blog\/shown/);
    const paths = ["/blog", "/blog/feed.xml", "/sitemap/blog.xml", "/archives", "/search?q=zebra"];
    for (const path of paths) {
      const text = await (await get(path)).text();
      expect(text, path).toMatch(/Shown Zebra|\/blog\/shown/);
      expect(text, path).not.toMatch(/Hidden Zebra|\/blog\/hidden/);
    }
    expect((await get("/blog/hidden")).status).toBe(404);
    expect(await callFunction("get_details?slug=hidden")).toBeNull();
    expect(JSON.stringify(await callFunction("get_metainfo"))).not.toContain("Hidden Zebra");
    expect((await newsroom("blog", "list")).output).toMatch(/draft +file .* hidden/);
    expect((await newsroom("validate")).output).toContain(
      "draft is true, so readers do not see the post.",
    );
  });

  it("publishes a post at the instant at which it is due, on pages that are cached", async () => {
    const dueAt = new Date("2026-11-18T18:00:00Z");
    const date = `date: "${dueAt.toISOString()}"`;
    await savePost("due-soon", ["metaTitle: Due Soon", "metaDescription: D", date], "It is due.");
    const pages = ["/blog", "/blog/feed.atom", "/sitemap/blog.xml", "/archives"];
    for (const path of pages) expect(await (await get(path)).text()).not.toContain("due-soon");
    // A page is not cached as long as the server has no time to read all of its parts.
    await expect
      .poll(async () => (await get("/blog")).headers.get("expires"))
      .toBe(dueAt.toUTCString());
    onTestFinished(() => city.server.setClock(noon));
    await city.server.setClock(dueAt.toISOString());
    for (const path of pages)
      await expect
        .poll(async () => (await get(path)).text(), { message: path })
        .toContain("due-soon");
    expect((await get("/blog/due-soon")).status).toBe(200);
  });

  it("shows imported posts immediately, and hides unpublished ones", async () => {
    expect(await (await get("/blog")).text()).not.toContain("Imported Post");
    const body = `![A boat](http://${imageServer.host}/boat.png) ![No boat](http://${imageServer.host}/page.png) Text.`;
    const post = {
      slug: "imported-post",
      metaTitle: "Imported Post",
      metaDescription: "D",
      date: "2026-11-14",
      blog: body,
      pinterestImageLink: `http://${imageServer.host}/pin.png`,
    };
    await writeFile(join(city.dataDir, "posts.json"), JSON.stringify([post]));
    // The path is relative to the folder in which the command was run.
    expect((await newsroom("blog", "import", "posts.json", "--dry-run")).output).toContain(
      "nothing was changed",
    );
    expect((await get("/blog/imported-post")).status).toBe(404);
    expect((await newsroom("blog", "import", "posts.json")).output).toContain("Imported 1 post");
    expect(await (await get("/blog")).text()).toContain("Imported Post");
    expect(await newsroom("blog", "import", "posts.json")).toMatchObject({
      code: 1,
      output: expect.stringContaining('posts.json: Line 1: slug "imported-post" is already used'),
    });

    expect(await (await get("/blog/imported-post")).text()).toMatch(
      /<figure[^>]*><img alt="" loading="lazy"[^>]*>.*View on Pinterest/,
    );

    const { html } = await callFunction("get_details?slug=imported-post");
    const [boatPath = "", otherPath = ""] = [...html.matchAll(/src="([^"]+)"/g)].map(
      ([, src]) => src,
    );
    const image = await get(boatPath);
    expect([image.status, image.headers.get("content-type")]).toEqual([200, "image/png"]);
    expect(Buffer.from(await image.arrayBuffer())).toEqual(png);
    expect((await get(boatPath, { "if-none-match": image.headers.get("etag") ?? "" })).status).toBe(
      304,
    );
    expect((await get(otherPath)).status).toBe(404);
    expect((await get(otherPath)).status).toBe(404);
    expect(imageServer.requests.map(({ path }) => path)).toEqual(["/boat.png", "/page.png"]);
    // The server does not fetch a URL that it has not signed.
    const forged = Buffer.from(`http://${imageServer.host}/secret.png`).toString("base64url");
    expect((await get(`/blog/picture/${boatPath.split("/")[3]}/${forged}`)).status).toBe(404);
    expect(imageServer.requests).toHaveLength(2);

    expect((await newsroom("blog", "unpublish", "imported-post")).output).toContain(
      "is hidden from readers",
    );
    expect((await get("/blog/imported-post")).status).toBe(404);
    expect(
      (await newsroom("blog", "publish", "imported-post", "--at", "2999-01-01")).output,
    ).toContain("will be published on 2999-01-01.");
    expect((await newsroom("blog", "list")).output).toMatch(
      /2999-01-01 {2}scheduled {2}database .* imported-post/,
    );
  });

  it("has feeds in three formats, which feed readers discover from the page", async () => {
    const page = await (await get("/blog")).text();
    for (const [path, type] of [
      ["/blog/feed.xml", "application/rss+xml"],
      ["/blog/feed.atom", "application/atom+xml"],
      ["/blog/feed.json", "application/feed+json"],
    ] as const) {
      expect(page).toMatch(
        new RegExp(`<link rel="alternate" type="${type.replace("+", "\\+")}"[^>]* href="${path}"`),
      );
      const response = await get(path);
      expect(response.headers.get("content-type")).toBe(`${type}; charset=utf-8`);
      const { feed } = parseFeed(await response.text());
      expect(JSON.stringify(feed.title)).toContain("The Harborline Blog | Harborline Baltimore");
      expect("items" in feed ? feed.items : "entries" in feed ? feed.entries : []).toHaveLength(10);
    }
  });

  it("redirects an invalid page number to the first page, and returns 404 after the last page", async () => {
    for (const page of ["abc", "0", "01", "-1"]) {
      const response = await get(`/blog?page=${page}`);
      expect([response.status, response.headers.get("location")], page).toEqual([302, "/blog"]);
    }
    expect((await get("/blog?page=99")).status).toBe(404);
  });
});

/** As `URLSearchParams` writes them. */
const unusualSlug = "%C3%9Cber+uns%2F2026+%26+mehr%3F";
const crabSlug = "%F0%9F%A6%80+%E6%97%A5%E6%9C%AC";

describe("a blog with an external backend", () => {
  let city: TestCity;
  let backend: FeedServer;
  let mode: "working" | "failing" | "invalid" | "down" = "working";
  const respondAsBackend: RequestListener = (request, response) => {
    const post = {
      metaTitle: "Remote <b>&",
      metaDescription: "D",
      date: "2026-11-01",
      domain: "baltimore.harborline.example",
    };
    const blog = "# Hi\n<script>alert(1)</script>";
    const body = request.url?.startsWith("/v1/get_metainfo")
      ? {
          blogs: [
            { id: 7, slug: "remote", ...post, pinterestImageLink: "javascript:alert(1)" },
            { id: 8, slug: "Über uns/2026 & mehr?", ...post },
            { id: 9, slug: "../status", ...post },
            { id: 10, slug: "remote.data", ...post },
            { id: 11, slug: "🦀 日本", ...post, metaTitle: "Crab ".repeat(10_000) },
            null,
            5,
          ],
          total: "1",
        }
      : ["remote", unusualSlug, crabSlug].some((slug) => request.url?.endsWith(`slug=${slug}`))
        ? {
            ...post,
            metaDescription: request.url?.endsWith(crabSlug) ? "Long ".repeat(50_000) : "D",
            blog,
            html: "<script>evil()</script>",
            youtubeShortsUrl: null,
          }
        : null;
    if (mode === "down") request.socket.destroy();
    else if (mode === "failing") response.writeHead(500).end("no");
    else response.end(mode === "invalid" ? "<html>" : JSON.stringify(body));
  };
  beforeAll(async () => {
    backend = await startFeedServer(respondAsBackend);
    city = await startCity(
      {},
      { BLOG_BACKEND_URL: backend.url("/v1/"), BLOG_PUBLIC_KEY: "their-key" },
    );
  });
  beforeEach(() => {
    mode = "working";
  });
  afterAll(async () => {
    await city?.close();
    await backend?.close();
  });

  const get = (path: string) => fetch(city.server.url + path, { headers: keyHeaders });

  it("sends a page without posts while the backend fails, and does not cache it", async () => {
    mode = "failing";
    const page = await get("/blog?page=2");
    expect([page.status, page.headers.get("cache-control")]).toEqual([503, "no-store"]);
    expect((await page.text()).match(/data-skeleton/g)).toHaveLength(6);
    mode = "working";
    expect((await get("/blog?page=2")).status).toBe(200);
  });

  it("is requested with the backend's own key, and only its text is trusted", async () => {
    const list = await (await get("/functions/v1/get_metainfo?domain=localhost&page=1")).json();
    expect(list).toEqual({
      blogs: [
        { id: "7", slug: "remote", metaTitle: "Remote <b>&", metaDescription: "D" },
        {
          id: "8",
          slug: "Über uns/2026 & mehr?",
          metaTitle: "Remote <b>&",
          metaDescription: "D",
        },
        {
          id: "11",
          slug: "🦀 日本",
          metaTitle: `${"Crab ".repeat(58)}Crab…`,
          metaDescription: "D",
        },
      ],
      total: 1,
    });
    const post = await (await get("/functions/v1/get_details?slug=remote")).json();
    expect(post).toMatchObject({
      html: "<h2>Hi</h2>\n",
      dateText: "November 1, 2026",
      pinterestImageLink: null,
    });
    expect(await (await get("/functions/v1/get_details?slug=none")).json()).toBeNull();
    const page = await (await get("/blog/remote")).text();
    expect(page).toContain("<title>Remote &lt;b&gt;&amp;</title>");
    expect(page).not.toMatch(/<script>(alert|evil)/);
    expect(backend.requests).toContainEqual({
      path: "/v1/get_metainfo?domain=baltimore.harborline.example&page=1",
      headers: expect.objectContaining({ authorization: "Bearer their-key" }),
    });
  });

  it("can have slugs with any characters", async () => {
    const path = "/blog/%C3%9Cber%20uns%2F2026%20%26%20mehr%3F";
    expect(await (await get("/blog")).text()).toContain(`href="${path}"`);
    const article = await get(path);
    expect(article.status).toBe(200);
    expect(await article.text()).toContain(
      `<link rel="canonical" href="https://baltimore.harborline.example${path}"`,
    );
    expect(await (await get(`/functions/v1/get_details?slug=${unusualSlug}`)).json()).toMatchObject(
      { slug: "Über uns/2026 & mehr?", html: "<h2>Hi</h2>\n" },
    );
    expect(await (await get("/blog/remote")).text(), "related posts").toContain(`href="${path}"`);
    expect(await (await get("/blog/feed.xml")).text()).toContain(
      `baltimore.harborline.example${path}`,
    );
    const crabs = await get("/blog/%F0%9F%A6%80%20%E6%97%A5%E6%9C%AC");
    expect([crabs.status, crabs.headers.get("surrogate-key")?.split(" ")]).toEqual([
      200,
      expect.arrayContaining(["blog", "blog:%F0%9F%A6%80%20%E6%97%A5%E6%9C%AC"]),
    ]);
    expect((await crabs.text()).length, "a description of 250 KB").toBeLessThan(200_000);
    for (const missing of ["/blog/%C3%9Cber", "/blog/%C3%9Cber%20uns"])
      expect((await get(missing)).status, missing).toBe(404);
    expect((await get("/blog/..%2Fstatus")).status).toBe(400);
  });

  it("is still shown when the backend fails, sends an invalid response or is down", async () => {
    const listPath = "/functions/v1/get_metainfo?page=1";
    // A server that is very busy may send the page without the post at first.
    for (const path of [listPath, "/blog/remote"])
      await expect.poll(async () => (await get(path)).status).toBe(200);
    for (const failure of ["failing", "invalid", "down"] as const) {
      mode = failure;
      expect((await (await get(listPath)).json()).total, failure).toBe(1);
      expect((await get("/blog/remote")).status, failure).toBe(200);
      // A post that is not cached cannot be shown. The function says so immediately, and the page
      // is sent without the post.
      const uncachedPost = await get(`/functions/v1/get_details?slug=never-${failure}`);
      expect([uncachedPost.status, await uncachedPost.json()], failure).toEqual([
        503,
        { error: expect.any(String) },
      ]);
      expect((await get(`/blog/never-${failure}`)).status, failure).toBe(503);
      const shareImage = await get(`/share/blog/never-${failure}/x.png`);
      expect([shareImage.status, shareImage.headers.get("retry-after")]).toEqual([503, "60"]);
    }
    mode = "working";
    expect(await (await get("/functions/v1/get_details?slug=never-down")).json()).toBeNull();
  });
});
