import { describe, expect, it } from "vitest";
import { createPageCache, encodePage, type Rendered } from "./page-cache.ts";

function setUp(options: { maxBytes?: number } = {}) {
  let time = 0;
  const errors: unknown[] = [];
  const cache = createPageCache({
    maxBytes: options.maxBytes ?? 1_000_000,
    freshMs: 1_000,
    maxStaleMs: 10_000,
    now: () => time,
    onError: (error) => errors.push(error),
  });
  const renders: string[] = [];
  const rendering =
    (text: string, { tags = [], status = 200 }: { tags?: string[]; status?: number } = {}) =>
    async (): Promise<Rendered> => {
      renders.push(text);
      const page = await encodePage(status, [], Buffer.from(text));
      return { page, tags: new Set(tags), storable: status === 200 };
    };
  const find = (key: string, next = rendering("unexpected")) =>
    cache.find(key, next)?.variants.identity.body.toString() ?? null;
  /** Waits until a render in the background has finished. */
  const settled = async (key: string, text: string) => expect.poll(() => find(key)).toBe(text);
  return {
    cache,
    errors,
    renders,
    rendering,
    find,
    settled,
    pass: (ms: number) => {
      time += ms;
    },
  };
}

describe("the page cache", () => {
  it("serves a page a second time without rendering it", async () => {
    const { cache, renders, rendering, find } = setUp();
    await cache.render("/about", rendering("one"));
    expect(find("/about")).toBe("one");
    expect(renders).toEqual(["one"]);
  });

  it("renders a page once for many readers at the same moment", async () => {
    const { cache, renders, rendering } = setUp();
    await Promise.all(Array.from({ length: 50 }, () => cache.render("/about", rendering("one"))));
    expect(renders).toEqual(["one"]);
  });

  it("never shows a page after the time when its content expires", async () => {
    const { cache, rendering, find, pass } = setUp();
    await cache.render("/", async () => ({ ...(await rendering("today")()), expiresAt: 500 }));
    pass(499);
    expect(find("/")).toBe("today");
    pass(1);
    expect(find("/")).toBeNull();
  });

  it("serves a stale page at once and renders it again in the background, once", async () => {
    const { cache, renders, rendering, find, settled, pass } = setUp();
    await cache.render("/about", rendering("old"));
    pass(1_500);
    expect(find("/about", rendering("new"))).toBe("old");
    expect(find("/about", rendering("newer"))).toBe("old");
    await settled("/about", "new");
    expect(renders).toEqual(["old", "new"]);
  });

  it("does not serve a page that is too old", async () => {
    const { cache, rendering, find, pass } = setUp();
    await cache.render("/about", rendering("old"));
    pass(10_000);
    expect(find("/about")).toBeNull();
  });

  it.each([
    [
      "returns a server error",
      (set: ReturnType<typeof setUp>) => set.rendering("broken", { status: 503 }),
    ],
    ["throws", () => () => Promise.reject(new Error("database gone"))],
  ])("serves the old page while its render %s, and retries later", async (_name, failing) => {
    const set = setUp();
    const { cache, rendering, find, pass } = set;
    await cache.render("/about", rendering("old"));
    pass(1_500);
    expect(find("/about", failing(set))).toBe("old");
    const later = () => {
      pass(500);
      return find("/about", rendering("recovered"));
    };
    await expect.poll(later).toBe("recovered");
  });

  it("drops a page that has become a 404", async () => {
    const { cache, rendering, find, pass } = setUp();
    await cache.render("/story", rendering("story"));
    pass(1_500);
    find("/story", rendering("gone", { status: 404 }));
    await expect.poll(() => find("/story")).toBeNull();
  });

  it("does not cache a redirect, a 404 or an error", async () => {
    const { cache, rendering, find } = setUp();
    for (const status of [301, 404, 500]) {
      await cache.render(`/${status}`, rendering("x", { status }));
      expect(find(`/${status}`)).toBeNull();
    }
  });

  it("purges only the pages that have one of the tags", async () => {
    const { cache, rendering, find } = setUp();
    await cache.render("/local", rendering("local", { tags: ["section:local"] }));
    await cache.render("/news", rendering("news", { tags: ["section:local", "section:world"] }));
    await cache.render("/world", rendering("world", { tags: ["section:world"] }));
    cache.purge(["section:local"]);
    expect([find("/local"), find("/news"), find("/world")]).toEqual([null, null, "world"]);
  });

  it.each(["purge", "clear"] as const)(
    "does not cache a page whose render started before a %s",
    async (change) => {
      const { cache, rendering, find } = setUp();
      const gate = Promise.withResolvers<void>();
      const slow = cache.render("/local", async () => {
        const rendered = await rendering("before", { tags: ["section:local"] })();
        await gate.promise;
        return rendered;
      });
      if (change === "purge") cache.purge(["section:local"]);
      else cache.clear();
      const fresh = cache.render("/local", rendering("after", { tags: ["section:local"] }));
      expect((await fresh).variants.identity.body.toString()).toBe("after");
      gate.resolve();
      expect((await slow).variants.identity.body.toString()).toBe("before");
      expect(find("/local")).toBe("after");
    },
  );

  it("stays within its size limit and drops the least recently used pages", async () => {
    const { cache, rendering, find, pass } = setUp({ maxBytes: 9_000 });
    const text = (name: string) => name + "x".repeat(2_000 - name.length);
    await cache.render("/a", rendering(text("a")));
    await cache.render("/b", rendering(text("b")));
    await cache.render("/c", rendering(text("c")));
    for (const name of ["d", "e", "f", "g", "h", "i"]) {
      pass(1_000);
      find("/a", rendering(text("a")));
      await cache.render(`/${name}`, rendering(text(name)));
    }
    expect(cache.size().bytes).toBeLessThanOrEqual(9_000);
    expect(find("/a")).not.toBeNull();
    expect(find("/b")).toBeNull();
  });

  it("keeps pages without parameters when a program requests every value of a parameter", async () => {
    const { cache, rendering, find } = setUp({ maxBytes: 40_000 });
    const text = (name: string) => name + "x".repeat(2_000 - name.length);
    for (const path of ["/", "/about", "/news/one"])
      await cache.render(path, rendering(text(path)));
    for (let page = 1; page <= 50; page += 1)
      await cache.render(`/archives?page=${page}`, rendering(text(`page ${page}`)));
    for (const path of ["/", "/about", "/news/one"]) expect(find(path), path).toBe(text(path));
    expect(find("/archives?page=50")).toBe(text("page 50"));
    expect(find("/archives?page=1")).toBeNull();
    cache.clear();
    await cache.render("/archives?page=1", rendering(text("again")));
    expect(find("/archives?page=1")).toBe(text("again"));
  });

  it("does not cache a page that is larger than the whole cache", async () => {
    const { cache, rendering, find } = setUp({ maxBytes: 1_000 });
    await cache.render("/big", rendering("x".repeat(5_000)));
    expect(find("/big")).toBeNull();
    expect(cache.size()).toEqual({ pages: 0, bytes: 0 });
  });
});
