import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createDataFolder } from "../support/data-folder.ts";
import { readStatus, sendRaw } from "../support/raw-http.ts";
import { type RunningServer, startServer } from "../support/server.ts";

let server: RunningServer;
let data: Awaited<ReturnType<typeof createDataFolder>>;
beforeAll(async () => {
  data = await createDataFolder();
  server = await startServer({ DATA_DIR: data.path, TRUST_PROXY: "1" });
});
afterAll(async () => {
  await server.stop();
  await data.remove();
});

const get = (path: string, init: RequestInit = {}) =>
  fetch(server.url + path, { redirect: "manual", ...init });
const createForm = (
  fields: Record<string, string>,
  headers: Record<string, string> = {},
): RequestInit => ({
  method: "POST",
  body: new URLSearchParams(fields),
  headers,
});

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

  it("is disconnected if it pipelines hundreds of requests", async () => {
    const responses = await sendRaw(
      server.url,
      "GET /about HTTP/1.1\r\nHost: a\r\n\r\n".repeat(300),
    );
    expect(responses.split("HTTP/1.1 200").length).toBeLessThan(20);
    expect((await get("/about")).status).toBe(200);
  });

  it("that is cut off in the middle does not affect other requests", async () => {
    const socket = connect(Number(new URL(server.url).port), "127.0.0.1");
    socket.write("POST /newsletter HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\nemail=");
    expect((await get("/about")).status).toBe(200);
    socket.destroy();
    expect((await get("/about")).status).toBe(200);
  });

  it("whose headers never end is disconnected, and other requests are served in the meantime", async () => {
    const slowResponse = sendRaw(server.url, "GET /about HTTP/1.1\r\nHost: a\r\nX-Slow: ");
    expect((await get("/about")).status).toBe(200);
    expect(readStatus(await slowResponse)).toBe(408);
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

  it("is refused before its body is read if one visitor sends too many requests, and other visitors are served", async () => {
    const send = (address: string) =>
      get("/newsletter", createForm({ email: "nobody" }, { "x-forwarded-for": address }));
    // All IP addresses in one IPv6 network count as one visitor.
    const flood = await Promise.all(Array.from({ length: 80 }, (_, n) => send(`2001:db8::${n}`)));
    const refused = flood.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThan(0);
    expect(Number(refused[0]?.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(await refused[0]?.text()).toContain("Too many requests from your internet connection");
    expect((await send("192.0.2.50")).status).toBe(422);
  });

  it("sent from another site is refused", async () => {
    const response = await get(
      "/newsletter",
      createForm({ email: "victim@example.com" }, { origin: "https://evil.example" }),
    );
    expect(response.status).toBe(403);
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
  const readHeaders = async (path: string, init?: RequestInit) => (await get(path, init)).headers;

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

  it("has a Strict-Transport-Security header only if it is served over HTTPS", async () => {
    expect((await readHeaders("/about")).get("strict-transport-security")).toBeNull();
    const secureHeaders = await readHeaders("/about", {
      headers: { "x-forwarded-proto": "https" },
    });
    expect(secureHeaders.get("strict-transport-security")).toMatch(/^max-age=\d{8}/);
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
    expect((await readHeaders("/about")).get("cache-control")).toMatch(
      /^public, max-age=0, s-maxage=60/,
    );
  });

  it("contains its canonical URL, whatever host the request names", async () => {
    const html = await (
      await get("/about?utm=1", { headers: { "x-forwarded-host": "evil.example" } })
    ).text();
    expect(html).toContain('rel="canonical" href="https://baltimore.harborline.example/about"');
    expect(html).not.toContain("evil.example");
  });

  it("has no body in the response to a HEAD request", async () => {
    const response = await get("/about", { method: "HEAD" });
    expect(response.status).toBe(200);
    expect(await response.text()).toBe("");
  });

  it("is complete for the next reader after a HEAD request", async () => {
    for (const path of ["/search?q=harbor", "/there-is-no-such-page"]) {
      await get(path, { method: "HEAD" });
      expect(await (await get(path)).text(), path).toContain("</main>");
    }
  });

  it("is compressed", async () => {
    expect(
      (await readHeaders("/about", { headers: { "accept-encoding": "gzip" } })).get(
        "content-encoding",
      ),
    ).toBe("gzip");
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
    await get("/search?q=secret-question", { headers: { "x-forwarded-for": "203.0.113.7" } });
    const line = server
      .output()
      .split("\n")
      .findLast((text) => text.includes('"path":"/search"'));
    expect(JSON.parse(line ?? "")).toMatchObject({
      event: "request",
      method: "GET",
      path: "/search",
      status: 200,
    });
    expect(server.output()).not.toContain("secret-question");
    expect(server.output()).not.toContain("203.0.113.7");
  });
});
