import { readFile } from "node:fs/promises";
import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { createDataFolder } from "../support/data-folder.ts";
import { readStatus, sendRaw } from "../support/raw-http.ts";
import { type RunningServer, startServer } from "../support/server.ts";

let server: RunningServer;
let data: Awaited<ReturnType<typeof createDataFolder>>;
beforeAll(async () => {
  data = await createDataFolder();
  server = await startServer({ DATA_DIR: data.path, TRUST_PROXY: "1", METRICS_PORT: "0" });
});
afterAll(async () => {
  await server?.stop();
  await data.remove();
});

let visitorCount = 0;
/** Sends a request. Each comes from another visitor, so that no limit per visitor is reached. */
function get(path: string, { headers, ...init }: RequestInit = {}): Promise<Response> {
  visitorCount += 1;
  return fetch(server.url + path, {
    redirect: "manual",
    headers: {
      "x-forwarded-for": `10.0.${visitorCount >> 8}.${visitorCount & 255}`,
      ...(headers as Record<string, string>),
    },
    ...init,
  });
}
const readHeaders = async (path: string, init?: RequestInit) => (await get(path, init)).headers;

const createForm = (
  fields: Record<string, string>,
  headers: Record<string, string> = {},
): RequestInit => ({
  method: "POST",
  body: new URLSearchParams(fields),
  headers,
});

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

describe("a bad request", () => {
  it.each([
    ["a malformed path", "GET /% HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", 400],
    ["a NUL byte", "GET /a%00 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", 400],
    [
      "a double slash",
      "GET //evil.example/about/ HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
      400,
    ],
    [
      "an absolute URL",
      "GET http://evil.example/ HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
      400,
    ],
    [
      "dot segments that leave the folder",
      "GET /art/../../package.json HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
      400,
    ],
    [
      "encoded dot segments that leave the folder",
      "GET /art/%2e%2e/%2e%2e/package.json HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
      400,
    ],
    [
      "a URL that is too long",
      `GET /${"a".repeat(9_000)} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`,
      414,
    ],
    [
      "headers that are too long",
      `GET / HTTP/1.1\r\nHost: a\r\nX: ${"a".repeat(40_000)}\r\n\r\n`,
      431,
    ],
    ["an unknown method", "BREW / HTTP/1.1\r\nHost: a\r\n\r\n", 400],
    ["TRACE", "TRACE / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", 405],
    ["DELETE", "DELETE /about HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", 405],
    ["no Host header", "GET / HTTP/1.1\r\nConnection: close\r\n\r\n", 400],
    ["an invalid Host header", "GET / HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n", 400],
    ["bytes that are not HTTP", "hello\r\n\r\n", 400],
    [
      "two Content-Length headers",
      "POST /newsletter HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nxx",
      400,
    ],
  ])("with %s gets an error status", async (_problem, bytes, status) => {
    expect(readStatus(await sendRaw(server.url, bytes))).toBe(status);
  });

  it("is refused with security headers, and logged", async () => {
    const response = await sendRaw(
      server.url,
      "GET /% HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
    );
    expect(response).toContain("X-Content-Type-Options: nosniff");
    expect(response).toContain("Content-Security-Policy: default-src 'none'");
    await expect.poll(() => server.output()).toContain('"refused":"This URL is malformed."');
  });

  it("that is cut off in the middle does not affect other requests", async () => {
    const socket = connect(Number(new URL(server.url).port), "127.0.0.1");
    socket.write("POST /newsletter HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\nemail=");
    expect((await get("/about")).status).toBe(200);
    socket.destroy();
    expect((await get("/about")).status).toBe(200);
  });

  it.each([
    ["not a form", { body: "{}", headers: { "content-type": "application/json" } }, 400],
    [
      "a malformed multipart form",
      { body: "x", headers: { "content-type": "multipart/form-data; boundary=y" } },
      400,
    ],
    ["no body", {}, 400],
    ["a body that is too long", { body: new URLSearchParams({ email: "x".repeat(9_000) }) }, 413],
    ["too many fields", { body: new URLSearchParams("a&".repeat(150)) }, 413],
  ])("to the newsletter with %s is refused", async (_problem, init, status) => {
    expect((await get("/newsletter", { method: "POST", ...init })).status).toBe(status);
  });

  it("is refused if one visitor sends too many forms, and other visitors are served", async () => {
    const send = (path: string, address: string) =>
      get(path, createForm({ email: "nobody" }, { "x-forwarded-for": address }));
    let refused: Response | undefined;
    for (let count = 0; !refused; count += 20) {
      // All IP addresses in one IPv6 network count as one visitor.
      const addresses = Array.from({ length: 20 }, (_, n) => `2001:db8::${count + n}`);
      // The front page has no form, but its limit is the same.
      const flood = await Promise.all(addresses.map((address) => send("/", address)));
      refused = flood.find(({ status }) => status === 429);
    }
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(await refused.text()).toContain("Too many requests from your internet connection");
    expect((await send("/newsletter", "192.0.2.50")).status).toBe(422);
  });

  it("sent from another site is refused, unless its token protects it", async () => {
    const send = (path: string) =>
      get(path, createForm({ email: "a@example.com" }, { origin: "https://evil.example" }));
    const refused = await send("/newsletter");
    expect(refused.status).toBe(403);
    expect(await refused.text()).toContain("Use your browser's Back button");
    // The button of an email program may send this form.
    expect((await send("/newsletter/unsubscribe?token=unknown")).status).toBe(422);
  });

  it("without a Content-Length is measured while it arrives, and refused if it is too long", async () => {
    const sendChunked = (
      path: string,
      body: string,
      chunks = `${body.length.toString(16)}\r\n${body}\r\n`,
    ) =>
      sendRaw(
        server.url,
        `POST ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Type: application/x-www-form-urlencoded\r\nTransfer-Encoding: chunked\r\n\r\n${chunks}0\r\n\r\n`,
      );
    expect(readStatus(await sendChunked("/newsletter", "email=nobody"))).toBe(422);
    expect(readStatus(await sendChunked("/newsletter", "a".repeat(300_000)))).toBe(413);
    expect(readStatus(await sendChunked("/contact/form", "", "1\r\na\r\n".repeat(2_000)))).toBe(
      400,
    );
    expect((await get("/functions/v1/get_details?slug=x", { method: "POST" })).status).toBe(405);
  });

  it.each(["/community/submit", "/Community/Submit", "/community/submit/", "/%63ommunity/submit"])(
    "with a photo is received at %s, because all spellings of a path are one page",
    async (path) => {
      const body = new FormData();
      body.set("title", "The Cat of Pier 5");
      body.set("images", new Blob([new Uint8Array(300_000)]), "cat.jpg");
      expect((await get(path, { method: "POST", body })).status).toBe(422);
    },
  );

  it("to a page without a form gets the error view, without a stack trace", async () => {
    const response = await get("/about", createForm({}));
    expect(response.status).toBe(405);
    const html = await response.text();
    expect(html).toContain("Unexpected Application Error!");
    expect(html).toContain("405 Method Not Allowed");
    expect(html).not.toMatch(/\bat \S+ \(|node_modules/);
  });
});

describe("a path with uppercase letters or a trailing slash", () => {
  it.each([
    ["/about/", "/about"],
    ["/About?a=1", "/about?a=1"],
    ["/PRIVACY/", "/privacy"],
  ])("%s redirects to %s", async (path, canonical) => {
    const response = await get(path);
    expect(response.status).toBe(308);
    expect(response.headers.get("location")).toBe(canonical);
  });

  it.each(["/Unknown", "/unknown/", "/assets/X.js", "/About.data", "/Robots.txt"])(
    "%s is not redirected",
    async (path) => {
      expect([200, 404]).toContain((await get(path)).status);
    },
  );
});

describe("every page", () => {
  it("has a strict Content-Security-Policy and the other security headers", async () => {
    const about = await readHeaders("/about");
    const policy = about.get("content-security-policy") ?? "";
    expect(policy).toMatch(/^default-src 'none'/);
    expect(policy).not.toContain("unsafe");
    expect(policy).toContain("frame-ancestors 'self'");
    expect(about.get("x-content-type-options")).toBe("nosniff");
    expect(about.get("referrer-policy")).toBe("strict-origin-when-cross-origin");
    expect(about.get("cross-origin-opener-policy")).toBe("same-origin");
    expect(about.get("permissions-policy")).toContain("camera=()");
  });

  it("has a Strict-Transport-Security header only if it is served over HTTPS, cached or not", async () => {
    const readHsts = async (path: string, protocol: string) =>
      (await readHeaders(path, { headers: { "x-forwarded-proto": protocol } })).get(
        "strict-transport-security",
      );
    for (const path of ["/about", "/about", "/search?q=x"]) {
      expect(await readHsts(path, "http"), path).toBeNull();
      expect(await readHsts(path, "https"), path).toMatch(/^max-age=\d{8}/);
    }
  });

  it("sets no cookie", async () => {
    for (const path of ["/", "/about", "/search?q=x", "/newsletter", "/none"]) {
      expect((await readHeaders(path)).get("set-cookie")).toBeNull();
    }
  });

  it("must not be cached if it is a search, a form or a missing page", async () => {
    for (const path of ["/search?q=x", "/newsletter", "/none", "/search.data?q=x"]) {
      expect((await readHeaders(path)).get("cache-control"), path).toBe("no-store");
    }
    // A page without events, which would shorten the time before one begins.
    expect((await readHeaders("/privacy")).get("cache-control")).toMatch(
      /^public, max-age=0, s-maxage=60/,
    );
  });

  it("is never shown by a browser without asking whether it has changed, and neither is its data", async () => {
    for (const path of ["/", "/news.data", "/banner.json"])
      expect((await readHeaders(path)).get("cache-control"), path).toMatch(
        /^public, max-age=0, s-maxage=\d+, stale-if-error=86400$/,
      );
  });

  it("contains its canonical URL, whatever host the request names", async () => {
    const html = await (
      await get("/about?utm=1", { headers: { "x-forwarded-host": "evil.example" } })
    ).text();
    expect(html).toContain('rel="canonical" href="https://baltimore.harborline.example/about"');
    expect(html).not.toContain("evil.example");
  });

  it("has no body in the response to a HEAD request, and is complete for the next reader", async () => {
    for (const path of ["/books", "/search?q=harbor", "/there-is-no-such-page"]) {
      const head = await get(path, { method: "HEAD" });
      expect(await head.text(), path).toBe("");
      const response = await get(path);
      expect(head.status, path).toBe(response.status);
      expect(await response.text(), path).toContain("</main>");
    }
    const head = await get("/books", { method: "HEAD" });
    expect(Number(head.headers.get("content-length"))).toBeGreaterThan(1_000);
    expect(await readCacheState(head)).toBe("hit");
  });

  it("is compressed even if it is not cached", async () => {
    const headers = await readHeaders("/search?q=gz", { headers: { "accept-encoding": "gzip" } });
    expect(headers.get("content-encoding")).toBe("gzip");
  });
});

describe("the server", () => {
  it("reports that the process is up and the database responds", async () => {
    expect(await (await get("/healthz")).text()).toBe("ok\n");
    expect(await (await get("/readyz")).text()).toBe("ready\n");
  });

  it("lets browsers cache built files for a year, and serves them as the build compressed them", async () => {
    const html = await (await get("/about")).text();
    const script = /\/assets\/[\w.-]+\.js/.exec(html)?.[0] ?? "";
    const response = await get(script, { headers: { "accept-encoding": "br" } });
    expect(response.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    expect(response.headers.get("content-encoding")).toBe("br");
  });

  it("logs one JSON line per request, without the IP address and the query string", async () => {
    const response = await get("/search?q=secret-question", {
      headers: { "x-forwarded-for": "203.0.113.7" },
    });
    const id = response.headers.get("x-request-id");
    const findLine = () =>
      server
        .output()
        .split("\n")
        .find((text) => text.includes(`"id":"${id}"`));
    await expect.poll(findLine).toBeDefined();
    expect(JSON.parse(findLine() ?? "")).toMatchObject({
      event: "request",
      method: "GET",
      path: "/search",
      status: 200,
    });
    expect(server.output()).not.toContain("secret-question");
    expect(server.output()).not.toContain("203.0.113.7");
  });
});

describe("a page that was requested before", () => {
  it("is served from memory, with all its headers", async () => {
    expect(await readCacheState(await get("/partners"))).toBe("miss");
    const secondResponse = await get("/partners");
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
      const response = await get(path, { headers });
      const page = await response.clone().text();
      expect(page).not.toContain("evil");
      expect(await readCacheState(response), path).toBe("hit");
    }
  });

  it("is available as brotli, gzip and plain, each with an ETag for conditional requests", async () => {
    const etags = new Set<string>();
    for (const encoding of ["br", "gzip", "identity"]) {
      const response = await get("/about", { headers: { "accept-encoding": encoding } });
      expect(await response.text()).toContain("About Harborline Baltimore");
      expect(response.headers.get("content-encoding") ?? "identity").toBe(encoding);
      const etag = response.headers.get("etag") ?? "";
      etags.add(etag);
      const conditionalResponse = await get("/about", {
        headers: { "accept-encoding": encoding, "if-none-match": etag },
      });
      expect(conditionalResponse.status).toBe(304);
      expect(await conditionalResponse.text()).toBe("");
    }
    expect(etags.size).toBe(3);
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

it.each([
  "/events.ics",
  "/events.json",
  "/embed/events",
  "/meetings.ics",
  "/sitemap.xml",
  "/functions/v1/get_details?slug=none",
])("%s is the same file in another spelling", async (path) => {
  const site = await readFile("sites/baltimore/blog.yaml", "utf8");
  const { publicKey } = z.object({ publicKey: z.string() }).parse(parse(site));
  const read = async (each: string) => {
    const response = await get(each, { headers: { authorization: `Bearer ${publicKey}` } });
    const text = (await response.text()).replaceAll(/DTSTAMP:\w+/g, "");
    return [response.status, response.headers.get("content-type"), text];
  };
  const expected = await read(path);
  const [name = "", query = ""] = path.split(/(?=\?)/);
  expect(await read(`${name}/${query}`)).toEqual(expected);
  expect(await read(name.replace(/[a-z]/, (letter) => letter.toUpperCase()) + query)).toEqual(
    expected,
  );
});

describe("the metrics of a running server", () => {
  const readMetricsUrl = () => /"metrics.open","url":"([^"]+)"/.exec(server.output())?.[1] ?? "";
  const scrape = async () => {
    await expect.poll(readMetricsUrl).not.toBe("");
    return (await (await fetch(readMetricsUrl())).text()).split("\n");
  };
  const readMetric = (lines: string[], name: string) =>
    Number(
      lines
        .find((text) => text.startsWith(`${name} `))
        ?.split(" ")
        .at(-1),
    );

  it("count requests by cache state, without new lines for new URLs", async () => {
    // The page may be cached from an earlier test, and stale by now.
    await expect.poll(async () => readCacheState(await get("/faq"))).toBe("hit");
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
    // Responses of earlier tests may be counted late too.
    await expect.poll(countMissingPages).toBeGreaterThanOrEqual(20);
    expect(increase('harborline_requests_total{cache="hit",status="2xx"}')).toBeGreaterThanOrEqual(
      5,
    );
    expect(
      increase('harborline_request_duration_seconds_count{cache="hit"}'),
    ).toBeGreaterThanOrEqual(5);
    expect(
      increase('harborline_request_duration_seconds_bucket{cache="none",le="+Inf"}'),
    ).toBeGreaterThanOrEqual(20);
    const countDelays = async () =>
      readMetric(await scrape(), "harborline_event_loop_delay_seconds_count");
    await expect.poll(countDelays).toBeGreaterThan(0);
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
    const usedNames = alerts.flatMap(
      ({ expr }) => expr.match(/\b(?:harborline|process)_\w+/g) ?? [],
    );
    // These tests fetch no feeds, and the metrics of jobs and backups appear after the first run.
    const notYetPresent = [
      "sources_newest_success",
      "job_last_success",
      "job_waiting",
      "backup",
    ].map((name) => `harborline_${name}_age_seconds`);
    // On a busy machine, a scrape can miss a group that takes too long to read.
    await expect
      .poll(async () => {
        const names = new Set((await scrape()).map((text) => /^\w+/.exec(text)?.[0]));
        return usedNames.filter((name) => !names.has(name) && !notYetPresent.includes(name));
      })
      .toEqual([]);
  });
});
