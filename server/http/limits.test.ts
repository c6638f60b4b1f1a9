import { type Context, Hono } from "hono";
import { expect, it, onTestFinished, vi } from "vitest";
import { createVisitorLimits, deskLimit, formLimit, pageLimit } from "./limits.ts";
import type { RequestEnv } from "./request-env.ts";

/** Serves pages within the limits. */
function createApp(respond: (c: Context<RequestEnv>) => Response | Promise<Response>) {
  const { limitPages, limitRenders } = createVisitorLimits(() => false);
  return new Hono<RequestEnv>().get("*", limitPages, limitRenders).all("*", respond);
}

it("a flood of page requests from many IP addresses is refused, but forms are accepted, and pages work again afterwards", async () => {
  const rendered = Promise.withResolvers<void>();
  const app = createApp(async (c) => {
    await rendered.promise;
    return c.text("a page");
  });
  let visitors = 0;
  const request = async (path: string, method = "GET") => {
    visitors += 1;
    const url = new URL(path, "http://localhost");
    const scope = {
      id: "1",
      url,
      route: null,
      ipAddress: `10.0.${visitors >> 8}.${visitors & 255}`,
    };
    return (await app.request(url, { method }, scope)).status;
  };
  const pages = Array.from({ length: pageLimit.concurrent.all }, (_, n) => request(`/${n}`));
  const [refused, form] = [request("/a"), request("/b", "POST")];
  expect(await refused).toBe(503);
  rendered.resolve();
  expect(new Set(await Promise.all([...pages, form]))).toEqual(new Set([200]));
  expect(await request("/a")).toBe(200);
});

it("one visitor cannot have an unlimited number of pages rendered, not even of searches, while other visitors and forms still work", async () => {
  // The clock stands still, so that the visitor gets no new requests while the test runs.
  vi.useFakeTimers({ toFake: ["performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const app = createApp((c) => c.text("a page"));
  const getResponse = (path: string, ipAddress: string, method = "GET") => {
    const url = new URL(path, "http://localhost");
    const own = ipAddress === "" ? { hasMissingPage: () => false, setCacheRules() {} } : undefined;
    return app.request(url, { method }, { id: "1", url, route: null, ipAddress, own });
  };
  const request = async (...args: Parameters<typeof getResponse>) =>
    (await getResponse(...args)).status;
  const flood: number[] = [];
  for (let page = 0; page < 260; page += 1)
    flood.push(await request(`/community/submit?${page}`, "203.0.113.9"));
  expect(flood.slice(0, 200)).toEqual(Array(200).fill(200));
  expect(flood.slice(200)).toEqual(Array(60).fill(429));
  const { headers } = await getResponse("/about", "203.0.113.9");
  expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
  expect(await request("/community/submit", "203.0.113.10")).toBe(200);
  expect(await request("/search?q=crab", "203.0.113.9")).toBe(429);
  expect(await request("/search.data?q=crab", "203.0.113.9")).toBe(429);
  // Forms have limits of their own, and a page that is rendered for all readers has no visitor.
  expect(await request("/community/submit", "203.0.113.9", "POST")).toBe(200);
  expect(await request("/about", "")).toBe(200);
});

it("a visitor who sends too many forms reads the message of the limit that was exceeded", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const { limitForms } = createVisitorLimits((path) => path.startsWith("/desk"));
  const app = new Hono<RequestEnv>().post("*", limitForms, (c) => c.text("accepted"));
  const sendForm = async (path: string) =>
    (await app.request(path, { method: "POST" }, { ipAddress: "203.0.113.9" })).text();
  for (const [path, limit] of [
    ["/contact/form", formLimit],
    ["/desk/alerts", deskLimit],
  ] as const) {
    for (let form = 0; form < limit.rate.burst; form += 1)
      expect(await sendForm(path)).toBe("accepted");
    expect(await sendForm(path)).toContain(limit.messages.visitor);
  }
});
