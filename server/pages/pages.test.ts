import { once } from "node:events";
import { createServer } from "node:http";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { createLog } from "../../app/lib/log.ts";
import { noProxies } from "../site/proxies.ts";
import { createPageCache } from "./page-cache.ts";
import { servePages, toPageKey } from "./pages.ts";

const findPolicy = (path: string) => {
  if (path === "/feeds/news.xml") return { cache: "public" as const, params: [], isPage: false };
  if (path === "/about" || path === "/about.data")
    return { cache: "public" as const, params: [], isPage: true };
  if (path === "/blog") return { cache: "public" as const, params: ["page", "tag"], isPage: true };
  if (path === "/search") return { cache: "none" as const, params: ["q"], isPage: true };
  return null;
};

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
    ["/blog?page=a%26b%3D%0d", "/blog?page=a%26b%3D%0D"],
  ])("of %s is %s, because only declared parameters count", (target, key) => {
    expect(toPageKey(target, findPolicy, undefined)).toBe(key);
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
    expect(toPageKey(target, findPolicy, saveData)).toBe(key);
  });

  it.each(["/search?q=x", "/unknown", "/assets/a.js", "/about.data?_routes=root"])(
    "does not exist for %s",
    (target) => {
      expect(toPageKey(target, findPolicy, undefined)).toBeNull();
    },
  );
});

describe("a visitor who makes up URLs", () => {
  it("is refused at some point, and still gets pages that are in the cache", async () => {
    // The clock stands still, so that the visitor gets no new requests while the test runs.
    vi.useFakeTimers({ toFake: ["performance"] });
    onTestFinished(() => void vi.useRealTimers());
    let rendered = 0;
    const serve = servePages({
      cache: createPageCache({
        maxBytes: 1_000_000,
        freshMs: 60_000,
        maxStaleMs: 60_000,
        now: Date.now,
        onError: (error) => expect(error).toBeUndefined(),
      }),
      log: createLog({ write() {} }),
      proxies: noProxies,
      findPolicy: () => ({ cache: "public", params: [], isPage: true }),
      async fetch(request) {
        rendered += 1;
        const isKnown = new URL(request.url).pathname === "/about";
        return new Response(
          "a page",
          isKnown ? { headers: { "Cache-Control": "public" } } : { status: 404 },
        );
      },
    });
    const server = createServer((request, response) => serve(request, response, "id")).listen(
      0,
      "127.0.0.1",
    );
    await once(server, "listening");
    const address = server.address();
    const origin = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
    const get = (path: string) => fetch(origin + path);
    expect((await get("/about")).status).toBe(200);
    const responses = [];
    for (let batch = 0; batch < 20; batch += 1)
      responses.push(
        ...(await Promise.all(Array.from({ length: 25 }, (_, n) => get(`/news/${batch}-${n}`)))),
      );
    const refused = responses.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThan(50);
    expect(rendered).toBe(501 - refused.length);
    expect(Number(refused[0]?.headers.get("retry-after"))).toBeGreaterThan(0);
    expect((await get("/about")).status).toBe(200);
    server.close();
    server.closeAllConnections();
  });
});
