import { cp, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { createDataFolder } from "../support/data-folder.ts";
import { type RunningServer, startServer } from "../support/server.ts";

let folder: Awaited<ReturnType<typeof createDataFolder>>;
let server: RunningServer;
beforeAll(async () => {
  folder = await createDataFolder();
  await cp("sites/baltimore", join(folder.path, "sites/testville"), { recursive: true });
  server = await startServer({
    DATA_DIR: folder.path,
    SITES_DIR: join(folder.path, "sites"),
    TRUST_PROXY: "1",
    METRICS_PORT: "0",
  });
});
afterAll(async () => {
  await server.stop();
  await folder.remove();
});

const get = (path: string, headers: Record<string, string> = {}, method = "GET") =>
  fetch(server.url + path, { method, headers, redirect: "manual" });

const logLineSchema = z.object({ id: z.string(), cache: z.string().optional() });

/** Returns what the log says about the page cache for this response. */
async function readCacheState(response: Response): Promise<string | undefined> {
  await response.arrayBuffer();
  const id = response.headers.get("x-request-id");
  const findLogLine = () =>
    server
      .output()
      .split("\n")
      .find((text) => text.includes(`"id":"${id}"`) && text.includes('"request"'));
  await expect.poll(findLogLine).toBeDefined();
  return logLineSchema.parse(JSON.parse(findLogLine() ?? "")).cache;
}

describe("a page that was requested before", () => {
  it("is served from memory, with all its headers", async () => {
    expect(await readCacheState(await get("/about"))).toBe("miss");
    const secondResponse = await get("/about");
    expect(secondResponse.headers.get("content-security-policy")).toMatch(/^default-src 'none'/);
    expect(secondResponse.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(secondResponse.headers.get("vary")).toBe("Accept-Encoding, Save-Data");
    expect(await readCacheState(secondResponse)).toBe("hit");
  });

  it("stays the same regardless of additional query parameters and headers", async () => {
    await get("/terms");
    for (const [path, headers] of [
      ["/terms?utm_source=a", {}],
      ["/terms?lang=fr", { cookie: "a=b", "x-forwarded-host": "evil.example" }],
      ["/terms", { "accept-language": "de" }],
    ] as const) {
      const response = await get(path, headers);
      const page = await response.clone().text();
      expect(page).not.toContain("evil");
      expect(await readCacheState(response), path).toBe("hit");
    }
  });

  it("is available as brotli, gzip and plain, each with an ETag for conditional requests", async () => {
    const etags = new Set<string>();
    for (const encoding of ["br", "gzip", "identity"]) {
      const response = await get("/about", { "accept-encoding": encoding });
      expect(await response.text()).toContain("About Harborline Baltimore");
      expect(response.headers.get("content-encoding") ?? "identity").toBe(encoding);
      const etag = response.headers.get("etag") ?? "";
      etags.add(etag);
      const conditionalResponse = await get("/about", {
        "accept-encoding": encoding,
        "if-none-match": etag,
      });
      expect(conditionalResponse.status).toBe(304);
      expect(await conditionalResponse.text()).toBe("");
    }
    expect(etags.size).toBe(3);
  });

  it("responds to HEAD with the length of the page and without a body", async () => {
    const response = await get("/about", { "accept-encoding": "gzip" }, "HEAD");
    expect(Number(response.headers.get("content-length"))).toBeGreaterThan(1_000);
    expect(await readCacheState(response)).toBe("hit");
  });

  it("has a Strict-Transport-Security header only for readers who use HTTPS", async () => {
    const secureResponse = await get("/about", { "x-forwarded-proto": "https" });
    expect(secureResponse.headers.get("strict-transport-security")).toMatch(/^max-age=/);
    expect((await get("/about")).headers.get("strict-transport-security")).toBeNull();
  });

  it("has its data cached separately, for client-side navigation", async () => {
    expect(await readCacheState(await get("/privacy.data"))).toBe("miss");
    expect(await readCacheState(await get("/privacy.data"))).toBe("hit");
    expect(
      await readCacheState(await get("/privacy.data?_routes=routes%2Fprivacy")),
    ).toBeUndefined();
  });
});

describe("a page for one reader, or a missing page", () => {
  it.each(["/search?q=x", "/newsletter", "/none", "/About", "/healthz", "/art/hero.svg"])(
    "%s is never cached",
    async (path) => {
      await get(path);
      expect(await readCacheState(await get(path))).not.toBe("hit");
    },
  );
});

describe("a URL with an invalid parameter", () => {
  it.each([
    ["/archives?section=made-up", "/archives"],
    ["/archives?section=local&source=made-up&page=-3", "/archives?section=local"],
    ["/archives?month=1971-05", "/archives"],
    ["/archives?month=2099-05", "/archives"],
    ["/archives?page=101&section=local", "/archives?section=local"],
    ["/local?all=made-up", "/local"],
    ["/news?all=made-up", "/news"],
    ["/blog?page=made-up", "/blog"],
    ["/events?category=made-up&free=1", "/events?free=1"],
    ["/events?category=MUSIC&free=yes&when=never", "/events?category=music"],
    ["/events.json?category=Music&free=0", "/events.json?category=music"],
    ["/embed/feeds/local?limit=0007", "/embed/feeds/local?limit=7"],
    ["/embed/feeds/local?limit=100000", "/embed/feeds/local?limit=20"],
    ["/embed/feeds/local?limit=made-up", "/embed/feeds/local"],
  ])("%s redirects to %s, and is not cached", async (path, canonical) => {
    const response = await get(path);
    expect([response.status, response.headers.get("location")]).toEqual([302, canonical]);
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect((await get(canonical)).status).toBe(200);
    await get(path);
    expect(await readCacheState(await get(path))).toBe("miss");
    expect(await readCacheState(await get(canonical))).toBe("hit");
  });

  it.each([
    "/blog?page=99999",
    "/archives?page=99",
    "/events.ics?when=never",
    "/events.ics?day=2071-01-01",
  ])("%s is an error, and is not cached", async (path) => {
    expect((await get(path)).ok).toBe(false);
    expect(await readCacheState(await get(path))).toBe("miss");
  });

  it("whose parameters are empty returns the page itself", async () => {
    await get("/archives");
    expect(await readCacheState(await get("/archives?month=&section="))).toBe("hit");
  });
});

describe("an editor's change", () => {
  it("is immediately visible on a page that was cached", async () => {
    const path = join(folder.path, "sites/testville/about.yaml");
    expect(await (await get("/about")).text()).toContain("About Harborline Baltimore");
    await writeFile(
      path,
      (await readFile(path, "utf8")).replace("About Harborline Baltimore", "About Testville"),
    );
    await expect
      .poll(async () => (await get("/about")).text(), { timeout: 15_000, interval: 50 })
      .toContain("About Testville");
  });
});

describe("the metrics of a running server", () => {
  const readMetricsUrl = () => /"metrics.open","url":"([^"]+)"/.exec(server.output())?.[1] ?? "";
  const scrape = async () => (await (await fetch(readMetricsUrl())).text()).split("\n");
  const readMetric = (lines: string[], name: string) =>
    Number(
      lines
        .find((text) => text.startsWith(`${name} `))
        ?.split(" ")
        .at(-1),
    );

  it("count requests by cache state, without new lines for new URLs", async () => {
    await expect.poll(readMetricsUrl).not.toBe("");
    await readCacheState(await get("/faq"));
    const metricsBefore = await scrape();
    for (let turn = 0; turn < 5; turn += 1) await (await get("/faq")).arrayBuffer();
    for (let turn = 0; turn < 20; turn += 1)
      await (await get(`/reader-${turn}@example.com?q=${turn}`)).arrayBuffer();
    let metricsAfter = await scrape();
    const increase = (name: string) =>
      readMetric(metricsAfter, name) - readMetric(metricsBefore, name);
    // The server counts a response after it has sent the last byte, which may be after we have
    // received it.
    const countMissingPages = async () => {
      metricsAfter = await scrape();
      return increase('harborline_requests_total{cache="none",status="4xx"}');
    };
    await expect.poll(countMissingPages).toBe(20);
    expect(increase('harborline_requests_total{cache="hit",status="2xx"}')).toBe(5);
    expect(increase('harborline_request_duration_seconds_count{cache="hit"}')).toBe(5);
    expect(increase('harborline_request_duration_seconds_bucket{cache="none",le="+Inf"}')).toBe(20);
    expect(increase("harborline_event_loop_delay_seconds_count")).toBeGreaterThan(0);
    for (const name of [
      "page_cache_bytes",
      "database_up",
      "mail_oldest_due_age_seconds",
      "radio_max_listeners",
    ])
      expect(readMetric(metricsAfter, `harborline_${name}`), name).not.toBeNaN();
    expect(metricsAfter.join("\n")).not.toContain("example.com");
    // Metrics of a job appear after its first run.
    const countLines = (lines: string[]) => lines.filter((text) => !text.includes("_job_")).length;
    expect(countLines(metricsAfter)).toBe(countLines(metricsBefore));
    expect(
      metricsAfter.filter(
        (text) => text.startsWith("harborline_metrics_group_up") && text.endsWith(" 0"),
      ),
    ).toEqual([]);
  });

  it("include every metric that an alert uses", async () => {
    const rulesSchema = z.object({
      groups: z.array(
        z.object({
          name: z.string(),
          rules: z.array(
            z.strictObject({
              alert: z.string().regex(/^Harborline\w+$/),
              expr: z.string(),
              for: z
                .string()
                .regex(/^\d+[mhd]$/)
                .optional(),
              labels: z.strictObject({ severity: z.enum(["page", "ticket"]) }),
              annotations: z.strictObject({ summary: z.string(), action: z.string() }),
            }),
          ),
        }),
      ),
    });
    const { groups } = rulesSchema.parse(parse(await readFile("deploy/alerts.yml", "utf8")));
    const alerts = groups.flatMap((group) => group.rules);
    expect(alerts.length).toBeGreaterThan(15);
    expect(new Set(alerts.map(({ alert }) => alert)).size).toBe(alerts.length);
    const names = new Set((await scrape()).map((text) => /^\w+/.exec(text)?.[0]));
    const usedNames = alerts.flatMap(
      ({ expr }) => expr.match(/\b(?:harborline|process)_\w+/g) ?? [],
    );
    // These tests fetch no feeds, and the metrics of jobs and backups appear after the first run.
    const notYetPresent = ["feed_newest_success", "job_last_success", "backup"].map(
      (name) => `harborline_${name}_age_seconds`,
    );
    expect(usedNames.filter((name) => !names.has(name) && !notYetPresent.includes(name))).toEqual(
      [],
    );
  });
});
