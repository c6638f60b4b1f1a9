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
  const found = (key: string, next = rendering("unexpected")) =>
    cache.find(key, next)?.variants.identity.body.toString() ?? null;
  /** Lets a render behind the reader's back come to its end. */
  const settled = async (key: string, text: string) => expect.poll(() => found(key)).toBe(text);
  return {
    cache,
    errors,
    renders,
    rendering,
    found,
    settled,
    pass: (ms: number) => {
      time += ms;
    },
  };
}

describe("the page cache", () => {
  it("gives a page out again without rendering it", async () => {
    const { cache, renders, rendering, found } = setUp();
    await cache.make("/about", rendering("one"));
    expect(found("/about")).toBe("one");
    expect(renders).toEqual(["one"]);
  });

  it("renders once, however many ask at the same moment", async () => {
    const { cache, renders, rendering } = setUp();
    await Promise.all(Array.from({ length: 50 }, () => cache.make("/about", rendering("one"))));
    expect(renders).toEqual(["one"]);
  });

  it("does not show a page of yesterday, not even once", async () => {
    const { cache, rendering, found, pass } = setUp();
    await cache.make("/", async () => ({ ...(await rendering("today")()), expiresAt: 500 }));
    pass(499);
    expect(found("/")).toBe("today");
    pass(1);
    expect(found("/")).toBeNull();
  });

  it("gives out a stale page at once and makes it anew meanwhile, once", async () => {
    const { cache, renders, rendering, found, settled, pass } = setUp();
    await cache.make("/about", rendering("old"));
    pass(1_500);
    expect(found("/about", rendering("new"))).toBe("old");
    expect(found("/about", rendering("newer"))).toBe("old");
    await settled("/about", "new");
    expect(renders).toEqual(["old", "new"]);
  });

  it("does not give out a page that is too old", async () => {
    const { cache, rendering, found, pass } = setUp();
    await cache.make("/about", rendering("old"));
    pass(10_000);
    expect(found("/about")).toBeNull();
  });

  it.each([
    [
      "answers with a server error",
      (set: ReturnType<typeof setUp>) => set.rendering("broken", { status: 503 }),
    ],
    ["throws", () => () => Promise.reject(new Error("database gone"))],
  ])("keeps the old page while its render %s, and tries again later", async (_name, failing) => {
    const set = setUp();
    const { cache, rendering, found, pass } = set;
    await cache.make("/about", rendering("old"));
    pass(1_500);
    expect(found("/about", failing(set))).toBe("old");
    const later = () => {
      pass(500);
      return found("/about", rendering("mended"));
    };
    await expect.poll(later).toBe("mended");
  });

  it("forgets a page that has become a 404", async () => {
    const { cache, rendering, found, pass } = setUp();
    await cache.make("/story", rendering("story"));
    pass(1_500);
    found("/story", rendering("gone", { status: 404 }));
    await expect.poll(() => found("/story")).toBeNull();
  });

  it("keeps no 404 and no error", async () => {
    const { cache, rendering, found } = setUp();
    for (const status of [301, 404, 500]) {
      await cache.make(`/${status}`, rendering("x", { status }));
      expect(found(`/${status}`)).toBeNull();
    }
  });

  it("purges just the pages that were made of what has changed", async () => {
    const { cache, rendering, found } = setUp();
    await cache.make("/local", rendering("local", { tags: ["section:local"] }));
    await cache.make("/news", rendering("news", { tags: ["section:local", "section:world"] }));
    await cache.make("/world", rendering("world", { tags: ["section:world"] }));
    cache.purge(["section:local"]);
    expect([found("/local"), found("/news"), found("/world")]).toEqual([null, null, "world"]);
  });

  it.each(["purge", "clear"] as const)(
    "does not keep a page whose render began before a %s",
    async (what) => {
      const { cache, rendering, found } = setUp();
      const gate = Promise.withResolvers<void>();
      const slow = cache.make("/local", async () => {
        const rendered = await rendering("before", { tags: ["section:local"] })();
        await gate.promise;
        return rendered;
      });
      if (what === "purge") cache.purge(["section:local"]);
      else cache.clear();
      const fresh = cache.make("/local", rendering("after", { tags: ["section:local"] }));
      expect((await fresh).variants.identity.body.toString()).toBe("after");
      gate.resolve();
      expect((await slow).variants.identity.body.toString()).toBe("before");
      expect(found("/local")).toBe("after");
    },
  );

  it("stays within its bytes and lets go of what was used longest ago", async () => {
    const { cache, rendering, found, pass } = setUp({ maxBytes: 9_000 });
    const text = (name: string) => name + "x".repeat(2_000 - name.length);
    await cache.make("/a", rendering(text("a")));
    await cache.make("/b", rendering(text("b")));
    await cache.make("/c", rendering(text("c")));
    for (const name of ["d", "e", "f", "g", "h", "i"]) {
      pass(1_000);
      found("/a", rendering(text("a")));
      await cache.make(`/${name}`, rendering(text(name)));
    }
    expect(cache.size().bytes).toBeLessThanOrEqual(9_000);
    expect(found("/a")).not.toBeNull();
    expect(found("/b")).toBeNull();
  });

  it("keeps pages without parameters when somebody asks for every value of a parameter", async () => {
    const { cache, rendering, found } = setUp({ maxBytes: 40_000 });
    const text = (name: string) => name + "x".repeat(2_000 - name.length);
    for (const path of ["/", "/about", "/news/one"]) await cache.make(path, rendering(text(path)));
    for (let page = 1; page <= 50; page += 1)
      await cache.make(`/archives?page=${page}`, rendering(text(`page ${page}`)));
    for (const path of ["/", "/about", "/news/one"]) expect(found(path), path).toBe(text(path));
    expect(found("/archives?page=50")).toBe(text("page 50"));
    expect(found("/archives?page=1")).toBeNull();
    cache.clear();
    await cache.make("/archives?page=1", rendering(text("again")));
    expect(found("/archives?page=1")).toBe(text("again"));
  });

  it("does not keep a page that is larger than the whole cache", async () => {
    const { cache, rendering, found } = setUp({ maxBytes: 1_000 });
    await cache.make("/big", rendering("x".repeat(5_000)));
    expect(found("/big")).toBeNull();
    expect(cache.size()).toEqual({ pages: 0, bytes: 0 });
  });
});
