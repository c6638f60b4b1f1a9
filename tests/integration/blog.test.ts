import { execFile } from "node:child_process";
import { once } from "node:events";
import { cp, rm, writeFile } from "node:fs/promises";
import { createServer, type RequestListener, type Server } from "node:http";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { dataFolder } from "../support/data-folder.ts";
import { type RunningServer, startServer } from "../support/server.ts";

const key = {
  Authorization: "Bearer harborline-baltimore-public",
  "Content-Type": "application/json",
};
const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

async function listen(
  answer: RequestListener,
  port = 0,
): Promise<{ server: Server; host: string; port: number }> {
  const server = createServer(answer).listen(port, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const at = typeof address === "object" && address ? address.port : 0;
  return { server, host: `127.0.0.1:${at}`, port: at };
}

describe("the blog of our own", () => {
  let folder: Awaited<ReturnType<typeof dataFolder>>;
  let server: RunningServer;
  let pictures: Awaited<ReturnType<typeof listen>>;
  const asked: string[] = [];
  beforeAll(async () => {
    folder = await dataFolder();
    await cp("sites/baltimore", join(folder.path, "sites/testville"), { recursive: true });
    pictures = await listen((request, response) => {
      asked.push(request.url ?? "");
      if (request.url === "/boat.png") response.end(png);
      else if (request.url === "/page.png")
        response.setHeader("Content-Type", "image/png").end("<script>alert(1)</script>");
      else response.writeHead(404).end();
    });
    server = await startServer({
      DATA_DIR: folder.path,
      SITES_DIR: join(folder.path, "sites"),
      FETCH_ALLOW: pictures.host,
    });
  });
  afterAll(async () => {
    await server.stop();
    pictures.server.close();
    await folder.remove();
  });

  const get = (path: string, headers: Record<string, string> = {}) =>
    fetch(server.url + path, { headers, redirect: "manual" });
  const call = async (query: string) => (await get(`/functions/v1/${query}`, key)).json();
  const newsroom = (...args: string[]) =>
    promisify(execFile)(process.execPath, [join(process.cwd(), "cli/newsroom.ts"), ...args], {
      cwd: folder.path,
      env: { ...process.env, DATA_DIR: folder.path, SITES_DIR: join(folder.path, "sites") },
    });

  it("gives ten posts a page, the newest first, for this city and for hosts that nobody knows", async () => {
    const first = await call("get_metainfo?domain=baltimore.harborline.example&page=1");
    expect(first).toMatchObject({ total: 34 });
    expect(first.blogs).toHaveLength(10);
    for (const query of [
      "domain=WWW.Baltimore.harborline.example:80&page=0",
      "domain=localhost&page=x",
      "page=-1",
      "",
    ])
      expect(await call(`get_metainfo?${query}`), query).toEqual(first);
    expect((await call("get_metainfo?domain=localhost&page=4")).blogs).toHaveLength(4);
    expect(await call("get_metainfo?domain=annapolis.harborline.example&page=1")).toEqual({
      blogs: [],
      total: 0,
    });
  });

  it("gives a post as it was written, and as safe HTML", async () => {
    const post = await call("get_details?slug=film-your-street-with-a-phone");
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

  it("says plainly what is wrong with a question, and never that it broke", async () => {
    const statusOf = async (query: string, headers = key) =>
      (await get(`/functions/v1/${query}`, headers)).status;
    expect(await statusOf("get_metainfo", { ...key, Authorization: "" })).toBe(401);
    expect(await statusOf("get_details?slug=x", { ...key, Authorization: "Bearer wrong" })).toBe(
      401,
    );
    expect(await statusOf("get_details")).toBe(400);
    expect(await statusOf(`get_details?slug=${"a".repeat(201)}`)).toBe(400);
    for (const slug of ["none", "%00", "..%2Fx", "A", "a--b", "%F0%9F%A6%80", "a%20b"])
      expect(await call(`get_details?slug=${slug}`), slug).toBeNull();
    const answer = await get("/functions/v1/get_metainfo");
    expect(await answer.json()).toEqual({ error: expect.stringContaining("public key") });
  });

  it("may be asked by pages of the network's cities, and of no others", async () => {
    const allowed = async (origin: string, method: string) => {
      const answer = await fetch(`${server.url}/functions/v1/get_metainfo`, {
        method,
        headers: { ...key, origin },
      });
      await answer.arrayBuffer();
      return answer.headers.get("access-control-allow-origin");
    };
    for (const method of ["OPTIONS", "GET"]) {
      expect(await allowed("https://annapolis.harborline.example", method)).toBe(
        "https://annapolis.harborline.example",
      );
      expect(await allowed("https://evil.example", method)).toBeNull();
    }
  });

  it("publishes a file when it is saved, from its date on, and takes it back when it is removed", async () => {
    const file = (name: string) => join(folder.path, `sites/testville/blog/${name}.md`);
    const post = (date: string) =>
      `---\nmetaTitle: Fresh Ink\nmetaDescription: D\ndate: ${date}\n---\n*Hello*.\n`;
    expect((await get("/blog/fresh-ink")).status).toBe(404);
    await writeFile(file("fresh-ink"), post("2026-01-02"));
    await writeFile(file("not-yet"), post("2999-01-02"));
    await expect
      .poll(async () => (await get("/blog/fresh-ink")).status, { timeout: 15_000 })
      .toBe(200);
    expect((await call("get_metainfo?domain=localhost")).total).toBe(35);
    expect((await get("/blog/not-yet")).status).toBe(404);
    expect((await get("/blog/feed.xml")).headers.get("expires")).toMatch(/2999/);
    await rm(file("fresh-ink"));
    await rm(file("not-yet"));
    await expect
      .poll(async () => (await get("/blog/fresh-ink")).status, { timeout: 15_000 })
      .toBe(404);
  });

  it("shows what the newsroom imports at once, and hides what it withdraws", async () => {
    expect(await (await get("/blog")).text()).not.toContain("From the Desk");
    const body = `![A boat](http://${pictures.host}/boat.png) ![No boat](http://${pictures.host}/page.png) Words.`;
    const post = {
      slug: "from-the-desk",
      metaTitle: "From the Desk",
      metaDescription: "D",
      date: "2026-11-14",
      blog: body,
    };
    await writeFile(join(folder.path, "posts.json"), JSON.stringify([post]));
    expect((await newsroom("blog", "import", "posts.json", "--dry-run")).stdout).toContain(
      "nothing was changed",
    );
    expect((await get("/blog/from-the-desk")).status).toBe(404);
    expect((await newsroom("blog", "import", "posts.json")).stdout).toContain("1 post imported");
    expect(await (await get("/blog")).text()).toContain("From the Desk");
    await expect(newsroom("blog", "import", "posts.json")).rejects.toMatchObject({
      code: 1,
      stdout: expect.stringContaining('posts.json: Line 1: slug "from-the-desk" is taken'),
    });

    const { html } = await call("get_details?slug=from-the-desk");
    const [boat = "", other = ""] = [...html.matchAll(/src="([^"]+)"/g)].map(([, src]) => src);
    const picture = await get(boat);
    expect([picture.status, picture.headers.get("content-type")]).toEqual([200, "image/png"]);
    expect(Buffer.from(await picture.arrayBuffer())).toEqual(png);
    expect((await get(boat, { "if-none-match": picture.headers.get("etag") ?? "" })).status).toBe(
      304,
    );
    expect((await get(other)).status).toBe(404);
    expect((await get(other)).status).toBe(404);
    expect(asked).toEqual(["/boat.png", "/page.png"]);
    // Nobody but us gives out addresses: a link that we did not sign is not fetched.
    const forged = Buffer.from(`http://${pictures.host}/secret.png`).toString("base64url");
    expect((await get(`/blog/picture/${boat.split("/")[3]}/${forged}`)).status).toBe(404);
    expect(asked).toHaveLength(2);

    expect((await newsroom("blog", "unpublish", "from-the-desk")).stdout).toContain("taken away");
    expect((await get("/blog/from-the-desk")).status).toBe(404);
    expect(
      (await newsroom("blog", "publish", "from-the-desk", "--at", "2999-01-01")).stdout,
    ).toContain("from 2999");
    expect((await newsroom("blog", "list")).stdout).toMatch(
      /2999-01-01 {2}scheduled {2}database .* from-the-desk/,
    );
  });

  it("has feeds in three formats, which a feed reader finds from the page", async () => {
    const page = await (await get("/blog")).text();
    for (const [path, type] of [
      ["/blog/feed.xml", "application/rss+xml"],
      ["/blog/feed.atom", "application/atom+xml"],
      ["/blog/feed.json", "application/feed+json"],
    ] as const) {
      expect(page).toMatch(
        new RegExp(`<link rel="alternate" type="${type.replace("+", "\\+")}"[^>]* href="${path}"`),
      );
      const answer = await get(path);
      expect(answer.headers.get("content-type")).toBe(`${type}; charset=utf-8`);
      const { parseFeed } = await import("feedsmith");
      const { feed } = parseFeed(await answer.text());
      expect(JSON.stringify(feed.title)).toContain("The Harborline Blog | Harborline Baltimore");
      expect("items" in feed ? feed.items : "entries" in feed ? feed.entries : []).toHaveLength(10);
    }
  });

  it("sends whoever asks for a page that is no number to the first, and says 404 for one that is not there", async () => {
    for (const page of ["abc", "0", "01", "-1"]) {
      const answer = await get(`/blog?page=${page}`);
      expect([answer.status, answer.headers.get("location")], page).toEqual([302, "/blog"]);
    }
    const beyond = await get("/blog?page=99");
    expect(beyond.status).toBe(404);
    expect(await beyond.text()).toContain("No blog articles found.");
  });
});

describe("the blog of a backend elsewhere", () => {
  let folder: Awaited<ReturnType<typeof dataFolder>>;
  let server: RunningServer;
  let backend: Awaited<ReturnType<typeof listen>>;
  let mode: "good" | "slow" | "failing" | "rubbish" | "silent" = "good";
  const held: (() => void)[] = [];
  const seen: { url: string; key: string | undefined }[] = [];
  const remote: RequestListener = (request, response) => {
    seen.push({ url: request.url ?? "", key: request.headers.authorization });
    const post = {
      metaTitle: "Remote <b>&",
      metaDescription: "D",
      date: "2026-11-01",
      domain: "baltimore.harborline.example",
    };
    const blog = "# Hi\n<script>alert(1)</script>";
    const good = request.url?.startsWith("/v1/get_metainfo")
      ? {
          blogs: [
            { id: 7, slug: "remote", ...post, pinterestImageLink: "javascript:alert(1)" },
            null,
            5,
          ],
          total: "1",
        }
      : request.url?.endsWith("slug=remote")
        ? { ...post, blog, html: "<script>evil()</script>", youtubeShortsUrl: null }
        : null;
    if (mode === "silent") return;
    if (mode === "failing") return response.writeHead(500).end("no");
    if (mode === "rubbish") return response.end("<html>");
    const answer = () => response.end(JSON.stringify(good));
    if (mode === "slow") held.push(answer);
    else answer();
  };
  beforeAll(async () => {
    folder = await dataFolder();
    backend = await listen(remote);
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

  const get = (path: string) => fetch(server.url + path, { headers: key });

  it("lets a page go out at once while the backend is slow, and keeps nothing of it", async () => {
    mode = "slow";
    const page = await get("/blog");
    expect([page.status, page.headers.get("cache-control")]).toEqual([503, "no-store"]);
    expect((await page.text()).match(/data-skeleton/g)).toHaveLength(6);
    // The answer that came too late for the page is there for the next reader.
    mode = "good";
    for (const answer of held) answer();
    await expect.poll(async () => (await get("/blog")).status, { timeout: 10_000 }).toBe(200);
  });

  it("is asked with its own key, and believed in nothing but text", async () => {
    mode = "good";
    const list = await (await get("/functions/v1/get_metainfo?domain=localhost&page=1")).json();
    expect(list).toEqual({
      blogs: [{ id: "7", slug: "remote", metaTitle: "Remote <b>&", metaDescription: "D" }],
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
    expect(seen[0]).toEqual({
      url: "/v1/get_metainfo?domain=baltimore.harborline.example&page=1",
      key: "Bearer their-key",
    });
  });

  it("goes on being shown when the backend fails, answers rubbish or dies", async () => {
    for (const way of ["failing", "rubbish", "dead"] as const) {
      if (way === "dead") {
        backend.server.closeAllConnections();
        backend.server.close();
      } else mode = way;
      expect((await (await get("/functions/v1/get_metainfo?page=1")).json()).total, way).toBe(1);
      expect((await get("/blog/remote")).status, way).toBe(200);
      // What was never answered cannot be shown; it is said so, at once, and the page is a page.
      const unknown = await get(`/functions/v1/get_details?slug=never-${way}`);
      expect([unknown.status, await unknown.json()], way).toEqual([
        503,
        { error: expect.any(String) },
      ]);
      expect((await get(`/blog/never-${way}`)).status, way).toBe(503);
    }
    backend = await listen(remote, backend.port);
    mode = "good";
    expect(await (await get("/functions/v1/get_details?slug=never-dead")).json()).toBeNull();
  });
});
