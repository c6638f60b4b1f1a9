import { once } from "node:events";
import { createServer } from "node:http";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { createRateLimit } from "../../app/lib/http/limits.server.ts";
import { createLog } from "../../app/lib/log.ts";
import { pageLimit } from "../http/limits.ts";
import { notPublic, type OwnRequest } from "../http/request-env.ts";
import { createBanner } from "./banner.ts";
import { createPageCache, splitTarget, toPageKey } from "./page-cache.ts";
import { servePages } from "./pages.ts";

const findRoute = (path: string) => {
  const names = { pattern: path, canonicalPath: path, partPath: path };
  const page = {
    ...names,
    cache: "public" as const,
    queryParams: [],
    isPage: true,
    hasAction: false,
  };
  if (path === "/feeds/news.xml") return { ...page, isPage: false };
  if (path === "/about" || path === "/about.data") return page;
  if (path === "/blog") return { ...page, queryParams: ["page", "tag"] };
  if (path.startsWith("/news/")) return { ...page, pattern: "/news/:slug" };
  if (path === "/search") return { ...page, cache: "none" as const, queryParams: ["q"] };
  return null;
};

function findKey(target: string, saveData?: string) {
  const route = findRoute(splitTarget(target)[0]);
  return route && toPageKey(target, route, saveData);
}

describe("the cache key", () => {
  it.each([
    ["/about", "/about"],
    ["/about?utm_source=x&page=3", "/about"],
    ["/about?_routes=root", "/about"],
    ["/about?", "/about"],
    ["/about.data", "/about.data"],
    ["/blog?page=2", "/blog?page=2"],
    ["/blog?tag=oysters&x=1&page=2", "/blog?page=2&tag=oysters"],
    ["/blog?page=2&page=3", "/blog?page=2"],
    ["/blog?page=&tag=", "/blog"],
    ["/blog?tag=a?b&page=2", "/blog?page=2&tag=a%3Fb"],
    ["/blog?page=a%26b%3D%0d", "/blog?page=a%26b%3D%0D"],
  ])("of %s is %s, because only declared parameters count", (target, key) => {
    expect(findKey(target)).toBe(key);
  });

  it.each([
    ["/about", undefined, "/about"],
    ["/about", "on", "/about?edition=light"],
    ["/about", "off", "/about"],
    ["/about?edition=light", undefined, "/about?edition=light"],
    ["/about?edition=light&utm=1", "on", "/about?edition=light"],
    ["/about?edition=full", undefined, "/about"],
    ["/about?edition=full", "on", "/about?edition=full"],
    ["/about?edition=made-up", undefined, "/about"],
    ["/blog?edition=light&page=2", undefined, "/blog?page=2&edition=light"],
    ["/about.data?edition=light", "on", "/about.data"],
    ["/feeds/news.xml?edition=light", "on", "/feeds/news.xml"],
  ])("of %s with Save-Data: %s is %s", (target, saveData, key) => {
    expect(findKey(target, saveData)).toBe(key);
  });

  it.each(["/search?q=x", "/unknown", "/assets/a.js", "/about.data?_routes=root"])(
    "does not exist for %s",
    (target) => {
      expect(findKey(target)).toBeNull();
    },
  );
});

/** Serves pages that `render` renders, and returns a function that requests a path. */
async function startServer(
  render: (key: string, hasMissingPage: OwnRequest["hasMissingPage"]) => Response,
  isCaching = true,
) {
  const cache = createPageCache({
    maxBytes: 1_000_000,
    maxFreshMs: 60_000,
    maxStaleMs: 60_000,
    now: Date.now,
    onError: (error) => expect(error).toBeUndefined(),
  });
  const banner = createBanner(() => true);
  const log = createLog({ write() {} });
  const limit = createRateLimit(pageLimit.rate);
  const serve = servePages({
    cache,
    banner,
    log,
    findRoute,
    isCaching,
    admitPage: (address) => limit.countRequest(address) === 0,
    handleOwn({ url }, { own }) {
      const { pathname, search } = new URL(url);
      const response = render(pathname + search, own.hasMissingPage);
      own.setCacheRules({ ...notPublic, isPublic: response.status === 200 });
      return response;
    },
  });
  const server = createServer((request, response) => {
    if (serve(request, response, { id: "id", ipAddress: "1.2.3.4", isSecure: false }) === undefined)
      response.writeHead(429).end();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const address = server.address();
  const origin = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
  return { cache, banner, get: (path: string, init?: RequestInit) => fetch(origin + path, init) };
}

it("everything that is missing at a route gets one stored page, until the site changes", async () => {
  let renders = 0;
  const { cache, get } = await startServer((key, hasMissingPage) => {
    const status = key.startsWith("/news/gone") ? 410 : 404;
    if (hasMissingPage(status)) return new Response(null, { status });
    renders += 1;
    return new Response(`Nothing here (${renders})`, { status });
  });
  const read = async (path: string, init?: RequestInit) => {
    const response = await get(path, init);
    return [response.status, await response.text()];
  };
  expect(await read("/news/one")).toEqual([404, "Nothing here (1)"]);
  expect(await read("/news/two")).toEqual([404, "Nothing here (1)"]);
  expect(await read("/news/gone")).toEqual([410, "Nothing here (2)"]);
  expect(await read("/news/gone-too")).toEqual([410, "Nothing here (2)"]);
  expect(await read("/news/three", { method: "HEAD" })).toEqual([404, ""]);
  expect(await read("/news/one?edition=light")).toEqual([404, "Nothing here (3)"]);
  expect(await read("/news/two?edition=light")).toEqual([404, "Nothing here (3)"]);
  expect(await read("/blog?page=9")).toEqual([404, "Nothing here (4)"]);
  cache.clear();
  expect(await read("/news/two")).toEqual([404, "Nothing here (5)"]);
});

it("each request is rendered if pages are not stored, and gets its encoding", async () => {
  let renders = 0;
  const { get } = await startServer(() => {
    renders += 1;
    return new Response(`Render ${renders}`);
  }, false);
  const read = async (encoding: string) => {
    const response = await get("/about", { headers: { "Accept-Encoding": encoding } });
    return [response.headers.get("content-encoding"), await response.text()];
  };
  expect(await read("gzip")).toEqual(["gzip", "Render 1"]);
  expect(await read("br")).toEqual(["br", "Render 2"]);
  expect(await read("identity")).toEqual([null, "Render 3"]);
});

describe("a visitor who makes up URLs", () => {
  it("is refused at some point, and still gets pages that are in the cache", async () => {
    // The clock stands still, so that the visitor gets no new requests while the test runs.
    vi.useFakeTimers({ toFake: ["performance"] });
    onTestFinished(() => void vi.useRealTimers());
    let rendered = 0;
    const { get } = await startServer((key) => {
      rendered += 1;
      return new Response("a page", { status: key === "/about" ? 200 : 404 });
    });
    expect((await get("/about")).status).toBe(200);
    const responses = [];
    for (let batch = 0; batch < 20; batch += 1)
      responses.push(
        ...(await Promise.all(Array.from({ length: 25 }, (_, n) => get(`/news/${batch}-${n}`)))),
      );
    const refused = responses.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThan(50);
    expect(rendered).toBe(501 - refused.length);
    expect((await get("/about")).status).toBe(200);
  });
});

describe("the banner", () => {
  const html = { "Content-Type": "text/html; charset=utf-8", "Cache-Control": "public, max-age=0" };
  const alert = (text: string) => `<p class="alert"><a href="/news">${text}</a></p>`;
  const slot = '<div id="alerts"></div>';

  it("appears on stored pages in every encoding, changes and ends, without a render", async () => {
    let renders = 0;
    const { banner, get } = await startServer((key) => {
      renders += 1;
      return new Response(`${slot}<main>${key} é</main>`, { headers: html });
    });
    const read = async (encoding: string, init: RequestInit = {}) => {
      const response = await get("/about", {
        ...init,
        headers: { "Accept-Encoding": encoding, ...init.headers },
      });
      expect(response.headers.get("content-encoding") ?? "identity").toBe(encoding);
      const text = await response.text();
      return { text, etag: response.headers.get("etag") ?? "", response };
    };
    const encodings = ["identity", "gzip", "br"];
    const before = await Promise.all(encodings.map((encoding) => read(encoding)));
    banner.show(alert("Water é"));
    const during = await Promise.all(
      [...encodings, ...encodings].map((encoding) => read(encoding)),
    );
    for (const { text } of during)
      expect(text).toBe(`<div id="alerts">${alert("Water é")}</div><main>/about é</main>`);
    expect(new Set([...before, ...during].map(({ etag }) => etag)).size).toBe(6);
    expect(during[0]?.response.headers.get("cache-control")).toContain("s-maxage=1,");
    const etag = during[1]?.etag ?? "";
    const same = await get("/about", {
      headers: { "Accept-Encoding": "gzip", "If-None-Match": etag },
    });
    expect(same.status).toBe(304);
    banner.show(alert("Changed"));
    expect((await read("gzip", { headers: { "If-None-Match": etag } })).text).toContain("Changed");
    banner.show("");
    expect(await read("br")).toMatchObject({ text: before[2]?.text, etag: before[2]?.etag });
    expect(renders).toBe(1);
  });

  it("is part of a page that is rendered or missing while it is shown, and of no feed", async () => {
    const { banner, get } = await startServer((key, hasMissingPage) => {
      if (key === "/feeds/news.xml")
        return new Response(slot, { headers: { ...html, "Content-Type": "text/xml" } });
      if (key.startsWith("/news/"))
        return new Response(hasMissingPage(404) ? null : slot, {
          status: 404,
          headers: html,
        });
      return new Response(slot, { headers: html });
    });
    const read = async (path: string) => (await get(path)).text();
    banner.show(alert("Water"));
    for (const path of ["/about", "/about", "/news/one", "/news/two"])
      expect(await read(path)).toBe(`<div id="alerts">${alert("Water")}</div>`);
    expect(await read("/feeds/news.xml")).toBe(slot);
    expect(await read("/about?edition=light")).toContain('href="/news?edition=light"');
  });
});
