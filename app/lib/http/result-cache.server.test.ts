import { describe, expect, it } from "vitest";
import { createResultCache } from "./result-cache.server.ts";

describe("a result cache", () => {
  const limits = { cacheMs: 30_000, maxEntries: 3, maxBytes: 1_000 };

  it("computes a result once for all callers who ask at the same time or soon after", async () => {
    let time = 1;
    const cache = createResultCache<number>(limits, { now: () => time });
    let runs = 0;
    const ask = () =>
      cache.get("a", async () => {
        runs += 1;
        return runs;
      });
    expect(await Promise.all([ask(), ask(), ask()])).toEqual([1, 1, 1]);
    time = 29_000;
    expect(await ask()).toBe(1);
    time = 31_000;
    expect(await ask()).toBe(2);
  });

  it("is bounded in number of entries and in size", async () => {
    const cache = createResultCache<string>(limits, { now: () => 1 });
    for (let n = 0; n < 10; n += 1) await cache.get(`key ${n}`, async () => "x");
    expect(cache.size().entries).toBe(3);
    await cache.get("large", async () => "x".repeat(990));
    expect(cache.size()).toEqual({ entries: 1, bytes: 997 });
    await cache.get("too large", async () => "x".repeat(2_000));
    expect(cache.size()).toEqual({ entries: 1, bytes: 997 });
  });

  it("drops all results when something changes, including results that are still being computed", async () => {
    const cache = createResultCache<string>(limits, { now: () => 1 });
    const { promise, resolve } = Promise.withResolvers<string>();
    const before = cache.get("a", () => promise);
    cache.clear();
    const after = cache.get("a", async () => "new");
    resolve("old");
    expect([await before, await after]).toEqual(["old", "new"]);
    expect(await cache.get("a", async () => "newer")).toBe("new");
    expect(await cache.get("b", async () => null)).toBeNull();
    expect(await cache.get("b", async () => "found")).toBe("found");
  });
});
