import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createCacheStorage } from "../../../../tests/support/cache-storage.ts";
import { listStoredPaths } from "../page-copy.ts";
import { createResponder } from "./respond.ts";
import type { FetchEvent, WorkerScope } from "./scope.ts";
import { openStore, type Store } from "./store.ts";

const origin = "https://city.example";
/** The images of each page that the server has. All other pages are missing. */
let site: Record<string, string[]>;
/** Statuses of pages with which a proxy, or the server, refuses them. */
let statuses: Record<string, number>;
let storage: ReturnType<typeof createCacheStorage>;
let scope: WorkerScope;
/** The paths that were requested from the server, in their order. */
let requests: string[];
let store: Store;

const writePage = (images: string[], filler = "") =>
  `<html><head><title>A page</title></head><body><script type="module">import "/assets/manifest-b1.js"</script>
  ${images.map((path) => `<img alt="" src="${path}"/>`).join("")}${filler}</body></html>`;

function respondAsServer(path: string): Response {
  const images = site[path];
  const status = statuses[path] ?? (images || path.startsWith("/art/") ? 200 : 404);
  if (status >= 300 && status < 400) throw new TypeError("Failed to fetch");
  const response = path.startsWith("/art/")
    ? new Response("<svg/>", { status, headers: { "Content-Type": "image/svg+xml" } })
    : new Response(writePage(images ?? [], path === "/large" ? "x".repeat(11_000_000) : ""), {
        status,
        headers: {
          "Content-Type": "text/html",
          "Cache-Control": "public, max-age=0",
          "Content-Security-Policy": "default-src 'self'",
        },
      });
  return asOwn(response);
}

/** In a browser, a response of the same origin has this type, and its clones too. */
const asOwn = (response: Response): Response =>
  Object.defineProperties(response, {
    type: { value: "basic" },
    clone: { value: () => asOwn(Response.prototype.clone.call(response)) },
  });

beforeEach(() => {
  site = { "/": ["/art/front.svg"], "/news": [], "/events": [], "/saved": [] };
  statuses = {};
  requests = [];
  storage = createCacheStorage(origin);
  vi.stubGlobal("caches", storage);
  vi.useFakeTimers({ toFake: ["Date"] });
  scope = {
    caches: storage,
    fetch: async (input: string | { url: string }) => {
      const url = new URL(typeof input === "string" ? input : input.url, origin);
      requests.push(url.pathname);
      return respondAsServer(url.pathname);
    },
    location: { origin },
    navigator: { onLine: true },
    offlineSettings: { build: "b1", assets: {}, siteName: "City", timeZone: "UTC" },
  } as unknown as WorkerScope;
  store = openStore(scope);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** What a page tells the worker: which page it shows, and which pages are saved. */
const refresh = (visited: string | null, saved: string[], savesData: boolean) =>
  store.refresh({ visited, saved, savesData });
const save = (path: string, savesData = false) => refresh(null, [path], savesData);
const visit = (path: string) => store.addVisited(path, respondAsServer(path));
const listImages = () => storage.list("images");
const readImages = async (path: string) => (await store.findPage(path, false))?.copy.images;
const four = ["/art/1.svg", "/art/2.svg", "/art/3.svg", "/art/4.svg"];

async function navigate(path: string, request = {}, preloaded?: Response): Promise<Response> {
  const work: Promise<unknown>[] = [];
  let response: Promise<Response> = Promise.reject(new Error("No response."));
  response.catch(() => {});
  const event = {
    request: {
      url: origin + path,
      method: "GET",
      mode: "navigate",
      destination: "document",
      signal: new AbortController().signal,
      ...request,
    },
    preloadResponse: Promise.resolve(preloaded),
    respondWith: (promise: Promise<Response>) => {
      response = promise;
    },
    waitUntil: (promise: Promise<unknown>) => work.push(promise),
  };
  createResponder(scope, store)(event as unknown as FetchEvent);
  await response;
  await Promise.all(work);
  return response;
}

describe("the images of a stored page", () => {
  it("are all stored, and stay stored when the reader opens the page again", async () => {
    site["/news/a"] = four;
    expect(await save("/news/a")).toBe("done");
    expect(listImages()).toEqual(four);
    expect(await readImages("/news/a")).toEqual(four);
    await visit("/news/a");
    await refresh("/news/a", ["/news/a"], false);
    expect(listImages()).toEqual([...four, "/art/front.svg"]);
  });

  it("are those of the newest version that the reader has seen", async () => {
    site["/news/a"] = ["/art/1.svg", "/art/2.svg"];
    await save("/news/a");
    site["/news/a"] = ["/art/2.svg", "/art/3.svg"];
    site["/"] = ["/art/4.svg"];
    for (const path of ["/", "/news/a"]) {
      await visit(path);
      await refresh(path, ["/news/a"], false);
    }
    expect(await readImages("/news/a")).toEqual(["/art/2.svg", "/art/3.svg"]);
    expect(listImages()).toEqual(["/art/2.svg", "/art/3.svg", "/art/4.svg"]);
  });

  it("are not downloaded for a page that the reader only visited", async () => {
    site["/news/a"] = four;
    await visit("/news/a");
    expect(storage.list("pages")).toEqual(["/news/a"]);
    expect(listImages()).toEqual([]);
  });

  it("are stored even if there is little space left", async () => {
    site["/offline"] = [];
    site["/assets/a.js"] = [];
    scope.offlineSettings.assets = { "/assets/a.js": 7_000_000 };
    await store.install();
    site["/news/a"] = four;
    await save("/news/a");
    expect(listImages()).toEqual(four);
  });
});

describe("the list of saved pages", () => {
  it("is stored except for pages that the newsroom has removed or moved", async () => {
    const removed = Array.from({ length: 12 }, (_, index) => `/news/removed-${index}`);
    statuses["/news/removed-1"] = 301;
    site["/news/old"] = [];
    const saved = [...removed, "/news/old"];
    await refresh("/news", saved, false);
    // One page view tries only some of them.
    await refresh("/news", saved, false);
    expect(storage.list("pages")).toContain("/news/old");
  });

  it("says that a page does not fit", async () => {
    site["/large"] = [];
    expect(await save("/large")).toBe("no space");
    expect(await save("/news/removed")).toBe("done");
    expect(storage.list("pages")).toEqual([]);
  });

  it("does not download a page that does not fit again on each page view", async () => {
    site["/large"] = [];
    site["/news/old"] = [];
    const saved = ["/large", "/news/old"];
    for (const path of ["/", "/news", "/events"]) await refresh(path, saved, false);
    expect(requests.filter((path) => path === "/large")).toHaveLength(1);
    expect(storage.list("pages")).toContain("/news/old");
    // There may be space again when the reader removes another page.
    await refresh(null, ["/large"], false);
    expect(storage.list("pages")).not.toContain("/news/old");
    expect(requests.filter((path) => path === "/large")).toHaveLength(2);
  });
});

describe("the data saver", () => {
  it("stores only saved pages, without images", async () => {
    site["/news/a"] = four;
    await save("/news/a", true);
    await refresh("/news/a", ["/news/a"], true);
    // The browser may stop the worker between two pages.
    store = openStore(scope);
    await visit("/");
    await visit("/news");
    const before = (await store.findPage("/news/a", false))?.copy.storedAt ?? 0;
    vi.advanceTimersByTime(1_000);
    await visit("/news/a");
    expect(storage.list("pages")).toEqual(["/news/a"]);
    expect((await store.findPage("/news/a", false))?.copy.storedAt).toBeGreaterThan(before);
    expect(listImages()).toEqual([]);
    await refresh("/news/a", ["/news/a"], false);
    await visit("/news");
    expect(storage.list("pages")).toContain("/news");
  });

  it("does not download a page again that was saved in the full edition", async () => {
    site["/news/a"] = [];
    await save("/news/a");
    const light = "<html><head><title>A page</title></head><body>Text</body></html>";
    const { headers } = respondAsServer("/news/a");
    await store.addVisited("/news/a?edition=light", asOwn(new Response(light, { headers })));
    expect(storage.list("pages")).toEqual(["/news/a", "/news/a?edition=light"]);
    requests = [];
    await refresh("/news", ["/news/a"], true);
    expect(requests).toEqual([]);
    expect((await store.findPage("/news/a", false))?.copy.savedAt).not.toBeNull();
  });
});

describe("a stored page", () => {
  it("has the same parameters as the page that the reader saved", async () => {
    site["/news/a"] = [];
    await save("/news/a?part=2");
    expect(await listStoredPaths()).toEqual(new Set(["/news/a?part=2"]));
    expect(await store.findPage("/news/a", false)).toBeNull();
    expect(await store.findPage("/news/a?part=2&edition=light", false)).not.toBeNull();
  });

  it("keeps its security policy, and so does the page that lists all of them", async () => {
    site["/offline"] = [];
    site["/news/a"] = [];
    await store.install();
    await save("/news/a");
    const stored = [
      await store.findFile("/offline"),
      (await store.findPage("/news/a", false))?.response,
    ];
    for (const response of stored)
      expect(response?.headers.get("Content-Security-Policy")).toBe("default-src 'self'");
  });
});

describe("a page for editors", () => {
  it("is left to the browser, so that its own page stays open without a connection", async () => {
    for (const path of ["/desk", "/desk/write/1", "/desk/waiting.data"])
      await expect(navigate(path, { mode: "cors" })).rejects.toThrow("No response.");
    await expect(navigate("/desk/write/1")).rejects.toThrow("No response.");
    expect(requests).toEqual([]);
  });
});

describe("a frame of ours", () => {
  const frame = { destination: "iframe" };

  it("is requested only once, and never stored", async () => {
    const preloaded = respondAsServer("/");
    expect(await navigate("/", frame, preloaded)).toBe(preloaded);
    expect(requests).toEqual([]);
    expect(await storage.keys()).toEqual([]);
  });

  it("is loaded by the worker if the browser has not requested it yet", async () => {
    expect((await navigate("/", frame)).status).toBe(200);
    expect(requests).toEqual(["/"]);
    expect(await storage.keys()).toEqual([]);
  });
});

describe("a new version of the site", () => {
  it("keeps the files of the previous one, for tabs and stored pages that still need them", async () => {
    site["/offline"] = [];
    const installBuild = async (build: string) => {
      const path = `/assets/${build}.js`;
      site[path] = [];
      const settings = { ...scope.offlineSettings, build, assets: { [path]: 100 } };
      const newStore = openStore({ ...scope, offlineSettings: settings });
      await newStore.install();
      return newStore;
    };
    for (const build of ["b1", "b2", "b3"]) {
      const newStore = await installBuild(build);
      await newStore.deleteOldBuilds();
    }
    expect(await storage.keys()).toEqual(["build-b2", "build-b3"]);
    expect(storage.list("build-b3")).toEqual(["/assets/b3.js", "/offline"]);
  });
});

describe("when the reader deletes everything", () => {
  /** Makes the server as slow as possible, and resolves when it gets the first request. */
  function stopResponding(): Promise<void> {
    const requested = Promise.withResolvers<void>();
    scope.fetch = async (_input, init) => {
      init?.signal?.throwIfAborted();
      requested.resolve();
      return new Promise((_resolve, reject) =>
        init?.signal?.addEventListener("abort", () => reject(init.signal?.reason)),
      );
    };
    store = openStore(scope);
    return requested.promise;
  }

  it.each(["refresh", "save", "install"] as const)("%s stops its downloads", async (name) => {
    scope.offlineSettings.assets = { "/assets/a.js": 100 };
    const requested = stopResponding();
    const running = {
      refresh: () => refresh("/news/a", ["/news/b", "/news/c"], false),
      save: () => save("/news/a"),
      install: () => store.install().catch(() => {}),
    }[name]();
    await requested;
    await store.close();
    expect(await storage.keys()).toEqual([]);
    await running;
    expect(await storage.keys()).toEqual([]);
  });

  it("a page that arrives later is not stored", async () => {
    site["/news/a"] = ["/art/1.svg"];
    const body = new TransformStream<Uint8Array, Uint8Array>();
    const { headers } = respondAsServer("/news/a");
    const adding = store.addVisited("/news/a", asOwn(new Response(body.readable, { headers })));
    const writer = body.writable.getWriter();
    await writer.write(new TextEncoder().encode(writePage(["/art/1.svg"])));
    await store.close();
    await writer.close();
    await adding;
    expect(await storage.keys()).toEqual([]);
  });

  it("the next visit stores the files of the build again", async () => {
    site["/offline"] = [];
    site["/assets/a.js"] = [];
    scope.offlineSettings.assets = { "/assets/a.js": 100 };
    await store.install();
    await store.close();
    store = openStore(scope);
    statuses["/assets/a.js"] = 503;
    expect(await store.ensureInstalled()).toBeNull();
    statuses = {};
    expect(await store.ensureInstalled()).toBe(true);
    expect(storage.list("build-b1")).toEqual(["/assets/a.js", "/offline"]);
    requests = [];
    expect(await store.ensureInstalled()).toBe(true);
    expect(requests).toEqual([]);
  });
});

describe("while the server restarts", () => {
  it.each([502, 503, 504])("the reader gets a copy instead of status %d", async (status) => {
    site["/news/a"] = [];
    await navigate("/news/a");
    statuses["/news/a"] = status;
    const response = await navigate("/news/a");
    expect(response.status).toBe(200);
    expect(await response.text()).toContain("We could not reach the site. This is the page as of");
    statuses["/news/a.data"] = status;
    const data = await navigate("/news/a.data", { mode: "cors", destination: "" });
    expect(data.headers.get("X-Remix-Redirect")).toBe("/news/a");
  });

  it("without a copy, the reader gets the response of the server", async () => {
    statuses["/news/b"] = 503;
    expect((await navigate("/news/b")).status).toBe(503);
    statuses["/news/b.data"] = 503;
    const data = await navigate("/news/b.data", { mode: "cors", destination: "" });
    expect(data.status).toBe(503);
  });

  it("other errors are shown", async () => {
    site["/news/a"] = [];
    await navigate("/news/a");
    statuses["/news/a"] = 500;
    expect((await navigate("/news/a")).status).toBe(500);
  });
});
