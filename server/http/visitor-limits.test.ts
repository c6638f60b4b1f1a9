import { Hono } from "hono";
import { expect, it } from "vitest";
import { limitConcurrentRenders, type Scope } from "./visitor-limits.ts";

it("a flood of pages from many addresses is refused, forms are not, and pages come again afterwards", async () => {
  const rendered = Promise.withResolvers<void>();
  const app = new Hono<Scope>();
  app.use(limitConcurrentRenders(2));
  app.all("*", async (c) => {
    await rendered.promise;
    return c.text("a page");
  });
  let visitors = 0;
  const ask = async (path: string, method = "GET") => {
    visitors += 1;
    const url = new URL(path, "http://localhost");
    const scope = { id: "1", url, address: `198.51.100.${visitors}` };
    return (await app.request(url, { method }, scope)).status;
  };
  const [first, second, third, form] = [ask("/a"), ask("/b"), ask("/c"), ask("/d", "POST")];
  expect(await third).toBe(503);
  rendered.resolve();
  expect(await Promise.all([first, second, form])).toEqual([200, 200, 200]);
  expect(await ask("/c")).toBe(200);
});

it("one visitor cannot have pages rendered without end, while others and search go on", async () => {
  const app = new Hono<Scope>();
  app.use(limitConcurrentRenders());
  app.all("*", (c) => c.text("a page"));
  const ask = async (path: string, address: string, method = "GET") => {
    const url = new URL(path, "http://localhost");
    return (await app.request(url, { method }, { id: "1", url, ipAddress: address })).status;
  };
  const flood: number[] = [];
  for (let page = 0; page < 260; page += 1)
    flood.push(await ask(`/community/submit?${page}`, "203.0.113.9"));
  expect(flood.slice(0, 200)).toEqual(Array(200).fill(200));
  expect(flood.filter((status) => status === 429).length).toBeGreaterThan(20);
  expect(await ask("/community/submit", "203.0.113.10")).toBe(200);
  // These have limits of their own, and a page that is rendered for everybody has no visitor.
  expect(await ask("/search?q=crab", "203.0.113.9")).toBe(200);
  expect(await ask("/community/submit", "203.0.113.9", "POST")).toBe(200);
  expect(await ask("/about", "")).toBe(200);
});
