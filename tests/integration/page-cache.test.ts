import { cp, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { dataFolder } from "../support/data-folder.ts";
import { type RunningServer, startServer } from "../support/server.ts";

let folder: Awaited<ReturnType<typeof dataFolder>>;
let server: RunningServer;
beforeAll(async () => {
  folder = await dataFolder();
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

const line = z.object({ id: z.string(), cache: z.string().optional() });

/** How the server says it answered. */
async function answeredBy(answer: Response): Promise<string | undefined> {
  await answer.arrayBuffer();
  const id = answer.headers.get("x-request-id");
  const note = () =>
    server
      .output()
      .split("\n")
      .find((text) => text.includes(`"id":"${id}"`) && text.includes('"request"'));
  await expect.poll(note).toBeDefined();
  return line.parse(JSON.parse(note() ?? "")).cache;
}

describe("a page that somebody has read before", () => {
  it("is answered from memory, with all its headers", async () => {
    expect(await answeredBy(await get("/about"))).toBe("miss");
    const second = await get("/about");
    expect(second.headers.get("content-security-policy")).toMatch(/^default-src 'none'/);
    expect(second.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(second.headers.get("vary")).toBe("Accept-Encoding");
    expect(await answeredBy(second)).toBe("hit");
  });

  it("is the same page whatever is added to its address, and whoever asks", async () => {
    await get("/terms");
    for (const [path, headers] of [
      ["/terms?utm_source=a", {}],
      ["/terms?lang=fr", { cookie: "a=b", "x-forwarded-host": "evil.example" }],
      ["/terms", { "accept-language": "de" }],
    ] as const) {
      const answer = await get(path, headers);
      const page = await answer.clone().text();
      expect(page).not.toContain("evil");
      expect(await answeredBy(answer), path).toBe("hit");
    }
  });

  it("comes in brotli, gzip or plain, each with a tag that saves sending it again", async () => {
    const tags = new Set<string>();
    for (const encoding of ["br", "gzip", "identity"]) {
      const answer = await get("/about", { "accept-encoding": encoding });
      expect(await answer.text()).toContain("About Harborline Baltimore");
      expect(answer.headers.get("content-encoding") ?? "identity").toBe(encoding);
      const etag = answer.headers.get("etag") ?? "";
      tags.add(etag);
      const again = await get("/about", { "accept-encoding": encoding, "if-none-match": etag });
      expect(again.status).toBe(304);
      expect(await again.text()).toBe("");
    }
    expect(tags.size).toBe(3);
  });

  it("answers HEAD with the length of the page and no page", async () => {
    const answer = await get("/about", { "accept-encoding": "gzip" }, "HEAD");
    expect(Number(answer.headers.get("content-length"))).toBeGreaterThan(1_000);
    expect(await answeredBy(answer)).toBe("hit");
  });

  it("asks for https for ever only where this reader came by https", async () => {
    const secure = await get("/about", { "x-forwarded-proto": "https" });
    expect(secure.headers.get("strict-transport-security")).toMatch(/^max-age=/);
    expect((await get("/about")).headers.get("strict-transport-security")).toBeNull();
  });

  it("has its data kept apart, for readers who walk on by links", async () => {
    expect(await answeredBy(await get("/privacy.data"))).toBe("miss");
    expect(await answeredBy(await get("/privacy.data"))).toBe("hit");
    expect(await answeredBy(await get("/privacy.data?_routes=routes%2Fprivacy"))).toBeUndefined();
  });
});

describe("what is one reader's own, or nothing", () => {
  it.each(["/search?q=x", "/newsletter", "/none", "/About", "/healthz", "/art/hero.svg"])(
    "%s is never kept",
    async (path) => {
      await get(path);
      expect(await answeredBy(await get(path))).not.toBe("hit");
    },
  );
});

describe("an address with a made-up value", () => {
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
  ])("%s leads to %s, and is not kept", async (path, known) => {
    const answer = await get(path);
    expect([answer.status, answer.headers.get("location")]).toEqual([302, known]);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect((await get(known)).status).toBe(200);
    await get(path);
    expect(await answeredBy(await get(path))).toBe("miss");
    expect(await answeredBy(await get(known))).toBe("hit");
  });

  it.each([
    "/blog?page=99999",
    "/archives?page=99",
    "/events.ics?when=never",
    "/events.ics?day=2071-01-01",
  ])("%s is answered as an error, and is not kept", async (path) => {
    expect((await get(path)).ok).toBe(false);
    expect(await answeredBy(await get(path))).toBe("miss");
  });

  it("without a value is the page itself", async () => {
    await get("/archives");
    expect(await answeredBy(await get("/archives?month=&section="))).toBe("hit");
  });
});

describe("an editor's change", () => {
  it("is on a page that was kept, at once when it is taken", async () => {
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
  const url = () => /"metrics.open","url":"([^"]+)"/.exec(server.output())?.[1] ?? "";
  const scrape = async () => (await (await fetch(url())).text()).split("\n");
  const figure = (lines: string[], name: string) =>
    Number(
      lines
        .find((text) => text.startsWith(`${name} `))
        ?.split(" ")
        .at(-1),
    );

  it("count requests by what answered them, and grow with their number but not in size", async () => {
    await expect.poll(url).not.toBe("");
    await answeredBy(await get("/faq"));
    const before = await scrape();
    for (let turn = 0; turn < 5; turn += 1) await (await get("/faq")).arrayBuffer();
    for (let turn = 0; turn < 20; turn += 1)
      await (await get(`/reader-${turn}@example.com?q=${turn}`)).arrayBuffer();
    let after = await scrape();
    const grown = (name: string) => figure(after, name) - figure(before, name);
    // An answer is counted when its last byte is sent, which may be after we have it.
    const missing = async () => {
      after = await scrape();
      return grown('harborline_requests_total{cache="none",status="4xx"}');
    };
    await expect.poll(missing).toBe(20);
    expect(grown('harborline_requests_total{cache="hit",status="2xx"}')).toBe(5);
    expect(grown('harborline_request_duration_seconds_count{cache="hit"}')).toBe(5);
    expect(grown('harborline_request_duration_seconds_bucket{cache="none",le="+Inf"}')).toBe(20);
    expect(grown("harborline_event_loop_delay_seconds_count")).toBeGreaterThan(0);
    for (const name of [
      "page_cache_bytes",
      "database_up",
      "mail_oldest_due_age_seconds",
      "radio_max_listeners",
    ])
      expect(figure(after, `harborline_${name}`), name).not.toBeNaN();
    expect(after.join("\n")).not.toContain("example.com");
    // Jobs appear when they have run for the first time.
    const kinds = (lines: string[]) => lines.filter((text) => !text.includes("_job_")).length;
    expect(kinds(after)).toBe(kinds(before));
    expect(
      after.filter((text) => text.startsWith("harborline_metrics_group_up") && text.endsWith(" 0")),
    ).toEqual([]);
  });

  it("hold every figure that an alert asks for", async () => {
    const rules = z.object({
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
    const { groups } = rules.parse(parse(await readFile("deploy/alerts.yml", "utf8")));
    const alerts = groups.flatMap((group) => group.rules);
    expect(alerts.length).toBeGreaterThan(15);
    expect(new Set(alerts.map(({ alert }) => alert)).size).toBe(alerts.length);
    const names = new Set((await scrape()).map((text) => /^\w+/.exec(text)?.[0]));
    const asked = alerts.flatMap(({ expr }) => expr.match(/\b(?:harborline|process)_\w+/g) ?? []);
    // No feed can be read in a test; jobs and backups appear when they have run.
    const later = ["feed_newest_success", "job_last_success", "backup"].map(
      (name) => `harborline_${name}_age_seconds`,
    );
    expect(asked.filter((name) => !names.has(name) && !later.includes(name))).toEqual([]);
  });
});
