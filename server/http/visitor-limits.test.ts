import { Hono } from "hono";
import { expect, it } from "vitest";
import { limitPagesAtOnce, type Scope } from "./visitor-limits.ts";

it("a flood of pages from many addresses is refused, forms are not, and pages come again afterwards", async () => {
  const rendered = Promise.withResolvers<void>();
  const app = new Hono<Scope>();
  app.use(limitPagesAtOnce(2));
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
