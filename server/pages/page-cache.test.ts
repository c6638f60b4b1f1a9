import { describe, expect, it } from "vitest";
import { type CachedResponse, encodeResponse } from "../http/encoding.ts";
import { notPublic } from "../http/request-env.ts";
import { createPageCache, type RenderResult } from "./page-cache.ts";

const readText = (response: CachedResponse | null) =>
  response?.variants.identity?.body.toString() ?? null;

function setUp(options: { maxBytes?: number } = {}) {
  let time = 0;
  const errors: unknown[] = [];
  const cache = createPageCache({
    maxBytes: options.maxBytes ?? 1_000_000,
    maxFreshMs: 1_000,
    maxStaleMs: 10_000,
    now: () => time,
    onError: (error) => errors.push(error),
  });
  const renders: string[] = [];
  const createRender =
    (text: string, { tags = [], status = 200 }: { tags?: string[]; status?: number } = {}) =>
    async (key: string): Promise<RenderResult> => {
      renders.push(text);
      const response = await encodeResponse(status, [], Buffer.from(text));
      return { ...notPublic, response, tags: new Set(tags), storeAs: status === 200 ? key : null };
    };
  const find = (key: string, next = createRender("unexpected")) =>
    readText(cache.findOrRefresh(key, next));
  /** Waits until a render in the background has finished. */
  const expectRendered = async (key: string, text: string) =>
    expect.poll(() => find(key)).toBe(text);
  return {
    cache,
    errors,
    renders,
    createRender,
    find,
    expectRendered,
    advance: (ms: number) => {
      time += ms;
    },
  };
}

describe("the page cache", () => {
  it("serves a page a second time without rendering it", async () => {
    const { cache, renders, createRender, find } = setUp();
    await cache.renderAndStore("/about", createRender("one"));
    expect(find("/about")).toBe("one");
    expect(renders).toEqual(["one"]);
  });

  it("renders a page once for many readers at the same moment", async () => {
    const { cache, renders, createRender } = setUp();
    await Promise.all(
      Array.from({ length: 50 }, () => cache.renderAndStore("/about", createRender("one"))),
    );
    expect(renders).toEqual(["one"]);
  });

  it("never shows a page after the time when its content expires", async () => {
    const { cache, createRender, find, advance } = setUp();
    await cache.renderAndStore("/", async (key) => ({
      ...(await createRender("today")(key)),
      expiresAt: 500,
    }));
    advance(499);
    expect(find("/")).toBe("today");
    advance(1);
    expect(find("/")).toBeNull();
  });

  it("serves a page whose data could not be renewed, and renders it again soon", async () => {
    const { cache, createRender, find, expectRendered, advance } = setUp();
    await cache.renderAndStore("/", async (key) => ({
      ...(await createRender("old")(key)),
      freshMs: 100,
    }));
    advance(99);
    expect(find("/")).toBe("old");
    advance(1);
    expect(find("/", createRender("new"))).toBe("old");
    await expectRendered("/", "new");
  });

  it("serves a stale page at once and renders it again in the background, once", async () => {
    const { cache, renders, createRender, find, expectRendered, advance } = setUp();
    await cache.renderAndStore("/about", createRender("old"));
    advance(1_500);
    expect(find("/about", createRender("new"))).toBe("old");
    expect(find("/about", createRender("newer"))).toBe("old");
    await expectRendered("/about", "new");
    expect(renders).toEqual(["old", "new"]);
  });

  it("does not serve a page that is too old", async () => {
    const { cache, createRender, find, advance } = setUp();
    await cache.renderAndStore("/about", createRender("old"));
    advance(10_000);
    expect(find("/about")).toBeNull();
  });

  it.each([
    [
      "returns a server error",
      (setup: ReturnType<typeof setUp>) => setup.createRender("broken", { status: 503 }),
    ],
    ["throws", () => () => Promise.reject(new Error("database gone"))],
  ])("serves the old page while its render %s, and retries later", async (_name, failing) => {
    const setup = setUp();
    const { cache, createRender, find, advance } = setup;
    await cache.renderAndStore("/about", createRender("old"));
    advance(1_500);
    expect(find("/about", failing(setup))).toBe("old");
    const findLater = () => {
      advance(500);
      return find("/about", createRender("recovered"));
    };
    await expect.poll(findLater).toBe("recovered");
  });

  it("drops a page that has become a 404", async () => {
    const { cache, createRender, find, advance } = setUp();
    await cache.renderAndStore("/story", createRender("story"));
    advance(1_500);
    find("/story", createRender("gone", { status: 404 }));
    await expect.poll(() => find("/story")).toBeNull();
  });

  it("does not cache a redirect, a 404 or an error", async () => {
    const { cache, createRender, find } = setUp();
    for (const status of [301, 404, 500]) {
      await cache.renderAndStore(`/${status}`, createRender("x", { status }));
      expect(find(`/${status}`)).toBeNull();
    }
  });

  it("purges only the pages that have one of the tags", async () => {
    const { cache, createRender, find } = setUp();
    await cache.renderAndStore("/local", createRender("local", { tags: ["section:local"] }));
    await cache.renderAndStore(
      "/news",
      createRender("news", { tags: ["section:local", "section:world"] }),
    );
    await cache.renderAndStore("/world", createRender("world", { tags: ["section:world"] }));
    cache.purge(["section:local"]);
    expect([find("/local"), find("/news"), find("/world")]).toEqual([null, null, "world"]);
  });

  it.each(["purge", "clear"] as const)(
    "does not cache a page whose render started before a %s",
    async (change) => {
      const { cache, createRender, find } = setUp();
      const gate = Promise.withResolvers<void>();
      const slow = cache.renderAndStore("/local", async (key) => {
        const rendered = await createRender("before", { tags: ["section:local"] })(key);
        await gate.promise;
        return rendered;
      });
      if (change === "purge") cache.purge(["section:local"]);
      else cache.clear();
      const fresh = cache.renderAndStore(
        "/local",
        createRender("after", { tags: ["section:local"] }),
      );
      expect(readText((await fresh).response)).toBe("after");
      gate.resolve();
      expect(readText((await slow).response)).toBe("before");
      expect(find("/local")).toBe("after");
    },
  );

  it("stays within its size limit and drops the least recently used pages", async () => {
    const { cache, createRender, find, advance } = setUp({ maxBytes: 12_000 });
    const text = (name: string) => name + "x".repeat(2_000 - name.length);
    await cache.renderAndStore("/a", createRender(text("a")));
    await cache.renderAndStore("/b", createRender(text("b")));
    await cache.renderAndStore("/c", createRender(text("c")));
    for (const name of ["d", "e", "f", "g", "h", "i"]) {
      advance(1_000);
      find("/a", createRender(text("a")));
      await cache.renderAndStore(`/${name}`, createRender(text(name)));
    }
    expect(cache.size().bytes).toBeLessThanOrEqual(12_000);
    expect(find("/a")).not.toBeNull();
    expect(find("/b")).toBeNull();
  });

  it("keeps pages without parameters when a program requests every value of a parameter", async () => {
    const { cache, createRender, find } = setUp({ maxBytes: 40_000 });
    const text = (name: string) => name + "x".repeat(2_000 - name.length);
    for (const path of ["/", "/about", "/news/one", "/?edition=light"])
      await cache.renderAndStore(path, createRender(text(path)));
    for (let page = 1; page <= 50; page += 1)
      await cache.renderAndStore(`/archives?page=${page}`, createRender(text(`page ${page}`)));
    for (const path of ["/", "/about", "/news/one", "/?edition=light"])
      expect(find(path), path).toBe(text(path));
    expect(find("/archives?page=50")).toBe(text("page 50"));
    expect(find("/archives?page=1")).toBeNull();
    cache.clear();
    await cache.renderAndStore("/archives?page=1", createRender(text("again")));
    expect(find("/archives?page=1")).toBe(text("again"));
  });

  it("does not cache a page that is larger than the cache", async () => {
    const { cache, createRender, find } = setUp({ maxBytes: 1_000 });
    await cache.renderAndStore("/big", createRender("x".repeat(5_000)));
    expect(find("/big")).toBeNull();
    expect(cache.size()).toEqual({ pages: 0, bytes: 0 });
  });
});
