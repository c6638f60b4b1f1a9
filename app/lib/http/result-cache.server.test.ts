import { describe, expect, it } from "vitest";
import { createBoundedQueue, createResultCache } from "./result-cache.server.ts";

describe("a queue", () => {
  it("runs a few at a time, lets some wait in order, and turns the rest away at once", async () => {
    const queue = createBoundedQueue({ atOnce: 2, maxWaiting: 2 });
    const started: number[] = [];
    const jobs = Array.from({ length: 5 }, () => Promise.withResolvers<number>());
    const runs = jobs.map(({ promise }, n) =>
      queue.run(() => {
        started.push(n);
        return promise;
      }),
    );
    expect(await runs[4]).toBeNull();
    expect(started).toEqual([0, 1]);
    jobs[1]?.reject(new Error("failed"));
    await expect(runs[1]).rejects.toThrow("failed");
    jobs[2]?.resolve(2);
    expect(await runs[2]).toEqual({ value: 2 });
    expect(started).toEqual([0, 1, 2, 3]);
    jobs[0]?.resolve(0);
    jobs[3]?.resolve(3);
    await Promise.all([runs[0], runs[3]]);
    expect(await queue.run(async () => "free")).toEqual({ value: "free" });
  });
});

describe("answers that are kept", () => {
  const limits = { cacheMs: 30_000, maxEntries: 3, maxBytes: 1_000 };

  it("are found once for all who ask at the same time and soon after", async () => {
    let time = 1;
    const answers = createResultCache<number>(limits, { now: () => time });
    let found = 0;
    const ask = () =>
      answers.get("a", async () => {
        found += 1;
        return found;
      });
    expect(await Promise.all([ask(), ask(), ask()])).toEqual([1, 1, 1]);
    time = 29_000;
    expect(await ask()).toBe(1);
    time = 31_000;
    expect(await ask()).toBe(2);
  });

  it("are bounded in number and size", async () => {
    const answers = createResultCache<string>(limits, { now: () => 0 });
    for (let n = 0; n < 10; n += 1) await answers.get(`key ${n}`, async () => "x");
    expect(answers.size().entries).toBe(3);
    await answers.get("large", async () => "x".repeat(990));
    expect(answers.size()).toEqual({ entries: 1, bytes: 997 });
    await answers.get("too large", async () => "x".repeat(2_000));
    expect(answers.size()).toEqual({ entries: 1, bytes: 997 });
  });

  it("are forgotten when something changes, also those that are being found meanwhile", async () => {
    const answers = createResultCache<string>(limits, { now: () => 0 });
    const { promise, resolve } = Promise.withResolvers<string>();
    const before = answers.get("a", () => promise);
    answers.forget();
    const after = answers.get("a", async () => "new");
    resolve("old");
    expect([await before, await after]).toEqual(["old", "new"]);
    expect(await answers.get("a", async () => "newer")).toBe("new");
    expect(await answers.get("b", async () => null)).toBeNull();
    expect(await answers.get("b", async () => "found")).toBe("found");
  });
});
