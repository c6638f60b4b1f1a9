import { execFile } from "node:child_process";
import { once } from "node:events";
import { cp, rm, writeFile } from "node:fs/promises";
import { createServer, type RequestListener, type Server } from "node:http";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createDataFolder } from "../support/data-folder.ts";
import { type RunningServer, startServer } from "../support/server.ts";

const keyHeaders = {
  Authorization: "Bearer harborline-baltimore-public",
  "Content-Type": "application/json",
};
const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

async function listen(
  handler: RequestListener,
  port = 0,
): Promise<{ server: Server; host: string; port: number }> {
  const server = createServer(handler).listen(port, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const actualPort = typeof address === "object" && address ? address.port : 0;
  return { server, host: `127.0.0.1:${actualPort}`, port: actualPort };
}

describe("our own blog", () => {
  let folder: Awaited<ReturnType<typeof createDataFolder>>;
  let server: RunningServer;
  let imageServer: Awaited<ReturnType<typeof listen>>;
  const imageRequests: string[] = [];
  beforeAll(async () => {
    folder = await createDataFolder();
    await cp("sites/baltimore", join(folder.path, "sites/testville"), { recursive: true });
    imageServer = await listen((request, response) => {
      imageRequests.push(request.url ?? "");
      if (request.url === "/boat.png") response.end(png);
      else if (request.url === "/page.png")
        response.setHeader("Content-Type", "image/png").end("<script>alert(1)</script>");
      else response.writeHead(404).end();
    });
    server = await startServer({
      DATA_DIR: folder.path,
      SITES_DIR: join(folder.path, "sites"),
      FETCH_ALLOW: imageServer.host,
    });
  });
  afterAll(async () => {
    await server.stop();
    imageServer.server.close();
    await folder.remove();
  });

  const get = (path: string, headers: Record<string, string> = {}) =>
    fetch(server.url + path, { headers, redirect: "manual" });
  const callFunction = async (query: string) =>
    (await get(`/functions/v1/${query}`, keyHeaders)).json();
  const newsroom = (...args: string[]) =>
    promisify(execFile)(process.execPath, [join(process.cwd(), "cli/newsroom.ts"), ...args], {
      cwd: folder.path,
      env: { ...process.env, DATA_DIR: folder.path, SITES_DIR: join(folder.path, "sites") },
    });

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
      const response = await fetch(`${server.url}/functions/v1/get_metainfo`, {
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

  it("publishes a file when it is saved or when its date comes, and unpublishes it when it is deleted", async () => {
    const toPath = (name: string) => join(folder.path, `sites/testville/blog/${name}.md`);
    const createPost = (date: string) =>
      `---\nmetaTitle: Fresh Ink\nmetaDescription: D\ndate: ${date}\n---\n*Hello*.\n`;
    expect((await get("/blog/fresh-ink")).status).toBe(404);
    await writeFile(toPath("fresh-ink"), createPost("2026-01-02"));
    await writeFile(toPath("not-yet"), createPost("2999-01-02"));
    await expect
      .poll(async () => (await get("/blog/fresh-ink")).status, { timeout: 15_000 })
      .toBe(200);
    expect((await callFunction("get_metainfo?domain=localhost")).total).toBe(35);
    expect((await get("/blog/not-yet")).status).toBe(404);
    // The server may read the two files in different rounds.
    await expect
      .poll(async () => (await get("/blog/feed.xml")).headers.get("expires") ?? "")
      .toMatch(/2999/);
    await rm(toPath("fresh-ink"));
    await rm(toPath("not-yet"));
    await expect
      .poll(async () => (await get("/blog/fresh-ink")).status, { timeout: 15_000 })
      .toBe(404);
  });

  it("shows authors, updates and corrections on the page, in the feed and to search engines", async () => {
    const file = join(folder.path, "sites/testville/blog/with-notes.md");
    const front = [
      "metaTitle: With Notes",
      "metaDescription: D",
      "date: 2026-11-14T23:30:00",
      "updated: 2026-11-15 09:00",
      "author: [Ada Byrd, Sam Cole]",
      'corrections: [{ date: 2026-11-15, text: "The pier is 5 < 6." }]',
      "youtubeShortsUrl: not a video",
    ];
    await writeFile(file, `---\n${front.join("\n")}\n---\n<p>Hello</p>\n`);
    await expect
      .poll(async () => (await get("/blog/with-notes")).status, { timeout: 15_000 })
      .toBe(200);
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
    await rm(file);
  });

  it("does not show a draft anywhere", async () => {
    const toPath = (name: string) => join(folder.path, `sites/testville/blog/${name}.md`);
    const front = "metaTitle: Hidden Zebra\nmetaDescription: D\ndate: 2026-11-01";
    await writeFile(toPath("hidden"), `---\n${front}\ndraft: true\n---\nZebra.\n`);
    await writeFile(toPath("shown"), `---\n${front.replace("Hidden", "Shown")}\n---\nZebra.\n`);
    const paths = ["/blog", "/blog/feed.xml", "/sitemap/blog.xml", "/archives", "/search?q=zebra"];
    for (const path of paths) {
      const read = async () => (await get(path)).text();
      await expect.poll(read, { timeout: 15_000 }).toMatch(/Shown Zebra|\/blog\/shown/);
      expect(await read(), path).not.toMatch(/Hidden Zebra|\/blog\/hidden/);
    }
    expect((await get("/blog/hidden")).status).toBe(404);
    expect(await callFunction("get_details?slug=hidden")).toBeNull();
    expect(JSON.stringify(await callFunction("get_metainfo"))).not.toContain("Hidden Zebra");
    expect((await newsroom("blog", "list")).stdout).toMatch(/draft +file .* hidden/);
    expect((await newsroom("validate")).stdout).toContain(
      "draft is true, so readers do not see the post.",
    );
    await Promise.all([rm(toPath("hidden")), rm(toPath("shown"))]);
    await expect.poll(async () => (await get("/blog/shown")).status, { timeout: 15_000 }).toBe(404);
  });

  it("publishes a post in the second in which it is due, on pages that are cached", async () => {
    const file = join(folder.path, "sites/testville/blog/due-soon.md");
    const isListed = async (path: string) => (await (await get(path)).text()).includes("due-soon");
    // Long enough for the server to read the file first.
    const dueAt = new Date(Date.now() + 6_000);
    const front = `metaTitle: Due Soon\nmetaDescription: D\ndate: "${dueAt.toISOString()}"`;
    await writeFile(file, `---\n${front}\n---\nIt is due.\n`);
    await expect
      .poll(async () => (await get("/blog")).headers.get("expires"), { timeout: 5_000 })
      .toBe(new Date(Math.floor(dueAt.getTime() / 1000) * 1000).toUTCString());
    const pages = ["/blog", "/blog/feed.atom", "/sitemap/blog.xml", "/archives"];
    for (const path of pages) expect(await isListed(path), path).toBe(false);
    expect(Date.now()).toBeLessThan(dueAt.getTime());
    for (const path of pages)
      await expect.poll(() => isListed(path), { timeout: 15_000 }).toBe(true);
    expect((await get("/blog/due-soon")).status).toBe(200);
    await rm(file);
    await expect
      .poll(async () => (await get("/blog/due-soon")).status, { timeout: 15_000 })
      .toBe(404);
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
    };
    await writeFile(join(folder.path, "posts.json"), JSON.stringify([post]));
    expect((await newsroom("blog", "import", "posts.json", "--dry-run")).stdout).toContain(
      "nothing was changed",
    );
    expect((await get("/blog/imported-post")).status).toBe(404);
    expect((await newsroom("blog", "import", "posts.json")).stdout).toContain("Imported 1 post");
    expect(await (await get("/blog")).text()).toContain("Imported Post");
    await expect(newsroom("blog", "import", "posts.json")).rejects.toMatchObject({
      code: 1,
      stdout: expect.stringContaining('posts.json: Line 1: slug "imported-post" is already used'),
    });

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
    expect(imageRequests).toEqual(["/boat.png", "/page.png"]);
    // The server does not fetch a URL that it has not signed.
    const forged = Buffer.from(`http://${imageServer.host}/secret.png`).toString("base64url");
    expect((await get(`/blog/picture/${boatPath.split("/")[3]}/${forged}`)).status).toBe(404);
    expect(imageRequests).toHaveLength(2);

    expect((await newsroom("blog", "unpublish", "imported-post")).stdout).toContain(
      "is hidden from readers",
    );
    expect((await get("/blog/imported-post")).status).toBe(404);
    expect(
      (await newsroom("blog", "publish", "imported-post", "--at", "2999-01-01")).stdout,
    ).toContain("will be published on 2999-01-01.");
    expect((await newsroom("blog", "list")).stdout).toMatch(
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
      const { parseFeed } = await import("feedsmith");
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
    const pageAfterLast = await get("/blog?page=99");
    expect(pageAfterLast.status).toBe(404);
    expect(await pageAfterLast.text()).toContain("No blog articles found.");
  });
});

/** As `URLSearchParams` writes them. */
const unusualSlug = "%C3%9Cber+uns%2F2026+%26+mehr%3F";
const crabSlug = "%F0%9F%A6%80+%E6%97%A5%E6%9C%AC";

describe("a blog with an external backend", () => {
  let folder: Awaited<ReturnType<typeof createDataFolder>>;
  let server: RunningServer;
  let backend: Awaited<ReturnType<typeof listen>>;
  let mode: "working" | "slow" | "failing" | "invalid" | "silent" = "working";
  const delayedResponses: (() => void)[] = [];
  const requests: { url: string; key: string | undefined }[] = [];
  const respondAsBackend: RequestListener = (request, response) => {
    requests.push({ url: request.url ?? "", key: request.headers.authorization });
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
    if (mode === "silent") return;
    if (mode === "failing") return response.writeHead(500).end("no");
    if (mode === "invalid") return response.end("<html>");
    const respond = () => response.end(JSON.stringify(body));
    if (mode === "slow") delayedResponses.push(respond);
    else respond();
  };
  beforeAll(async () => {
    folder = await createDataFolder();
    backend = await listen(respondAsBackend);
    const url = `http://${backend.host}/v1/`;
    server = await startServer({
      DATA_DIR: folder.path,
      BLOG_BACKEND_URL: url,
      BLOG_PUBLIC_KEY: "their-key",
    });
  });
  afterAll(async () => {
    await server.stop();
    backend.server.closeAllConnections();
    backend.server.close();
    await folder.remove();
  });

  const get = (path: string) => fetch(server.url + path, { headers: keyHeaders });

  it("sends a page without posts while the backend is slow, and does not cache it", async () => {
    mode = "slow";
    const page = await get("/blog");
    expect([page.status, page.headers.get("cache-control")]).toEqual([503, "no-store"]);
    expect((await page.text()).match(/data-skeleton/g)).toHaveLength(6);
    // The response came too late for this page, but it is cached for the next reader.
    mode = "working";
    for (const respond of delayedResponses) respond();
    await expect.poll(async () => (await get("/blog")).status, { timeout: 10_000 }).toBe(200);
  });

  it("is requested with the backend's own key, and only its text is trusted", async () => {
    mode = "working";
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
    expect(requests[0]).toEqual({
      url: "/v1/get_metainfo?domain=baltimore.harborline.example&page=1",
      key: "Bearer their-key",
    });
  });

  it("can have slugs with any characters", async () => {
    mode = "working";
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
    for (const failure of ["failing", "invalid", "down"] as const) {
      if (failure === "down") {
        backend.server.closeAllConnections();
        backend.server.close();
      } else mode = failure;
      expect((await (await get("/functions/v1/get_metainfo?page=1")).json()).total, failure).toBe(
        1,
      );
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
    backend = await listen(respondAsBackend, backend.port);
    mode = "working";
    expect(await (await get("/functions/v1/get_details?slug=never-down")).json()).toBeNull();
  });
});
