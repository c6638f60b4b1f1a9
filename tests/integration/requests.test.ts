import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { dataFolder } from "../support/data-folder.ts";
import { readStatus, sendRaw } from "../support/raw-http.ts";
import { type RunningServer, startServer } from "../support/server.ts";

let server: RunningServer;
let data: Awaited<ReturnType<typeof dataFolder>>;
beforeAll(async () => {
  data = await dataFolder();
  server = await startServer({ DATA_DIR: data.path, TRUST_PROXY: "1" });
});
afterAll(async () => {
  await server.stop();
  await data.remove();
});

const get = (path: string, init: RequestInit = {}) =>
  fetch(server.url + path, { redirect: "manual", ...init });
const form = (
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
      "a proxy's address",
      "GET http://evil.example/ HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
      400,
    ],
    [
      "dots that climb",
      "GET /art/../../package.json HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
      400,
    ],
    [
      "encoded dots that climb",
      "GET /art/%2e%2e/%2e%2e/package.json HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
      400,
    ],
    [
      "an endless address",
      `GET /${"a".repeat(9_000)} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`,
      414,
    ],
    ["endless headers", `GET / HTTP/1.1\r\nHost: a\r\nX: ${"a".repeat(40_000)}\r\n\r\n`, 431],
    ["a method nobody knows", "BREW / HTTP/1.1\r\nHost: a\r\n\r\n", 400],
    ["TRACE", "TRACE / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", 405],
    ["DELETE", "DELETE /about HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", 405],
    ["no host", "GET / HTTP/1.1\r\nConnection: close\r\n\r\n", 400],
    ["a host that is none", "GET / HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n", 400],
    ["no HTTP at all", "hello\r\n\r\n", 400],
    [
      "two lengths",
      "POST /newsletter HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nxx",
      400,
    ],
  ])("with %s gets a clean answer", async (_fault, bytes, status) => {
    expect(readStatus(await sendRaw(server.url, bytes))).toBe(status);
  });

  it("is refused with the same care as a page is served, and noted", async () => {
    const answer = await sendRaw(
      server.url,
      "GET /% HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
    );
    expect(answer).toContain("X-Content-Type-Options: nosniff");
    expect(answer).toContain("Content-Security-Policy: default-src 'none'");
    await expect.poll(() => server.output()).toContain('"refused":"This URL is malformed."');
  });

  it("that comes with hundreds of others in one packet ends its connection", async () => {
    const answers = await sendRaw(server.url, "GET /about HTTP/1.1\r\nHost: a\r\n\r\n".repeat(300));
    expect(answers.split("HTTP/1.1 200").length).toBeLessThan(20);
    expect((await get("/about")).status).toBe(200);
  });

  it("that is cut off in the middle harms nobody", async () => {
    const socket = connect(Number(new URL(server.url).port), "127.0.0.1");
    socket.write("POST /newsletter HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\nemail=");
    expect((await get("/about")).status).toBe(200);
    socket.destroy();
    expect((await get("/about")).status).toBe(200);
  });

  it("whose sender never comes to an end is let go, and others are served meanwhile", async () => {
    const slowHead = sendRaw(server.url, "GET /about HTTP/1.1\r\nHost: a\r\nX-Slow: ");
    expect((await get("/about")).status).toBe(200);
    expect(readStatus(await slowHead)).toBe(408);
  });

  it.each([
    ["not a form", { body: "{}", headers: { "content-type": "application/json" } }, 400],
    [
      "a form of the wrong kind",
      { body: "x", headers: { "content-type": "multipart/form-data; boundary=y" } },
      400,
    ],
    ["no body", {}, 400],
    ["far too long a body", { body: new URLSearchParams({ email: "x".repeat(9_000) }) }, 413],
    ["more fields than a form has", { body: new URLSearchParams("a&".repeat(150)) }, 413],
  ])("to the newsletter with %s is refused", async (_fault, init, status) => {
    expect((await get("/newsletter", { method: "POST", ...init })).status).toBe(status);
  });

  it("that one visitor sends without end is refused before it is read, and others are served", async () => {
    const send = (address: string) =>
      get("/newsletter", form({ email: "nobody" }, { "x-forwarded-for": address }));
    // The addresses of one IPv6 network are one visitor.
    const flood = await Promise.all(Array.from({ length: 80 }, (_, n) => send(`2001:db8::${n}`)));
    const refused = flood.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThan(0);
    expect(Number(refused[0]?.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(await refused[0]?.text()).toContain("Too many requests from your internet connection");
    expect((await send("192.0.2.50")).status).toBe(422);
  });

  it("sent from another site is not taken", async () => {
    const answer = await get(
      "/newsletter",
      form({ email: "victim@example.com" }, { origin: "https://evil.example" }),
    );
    expect(answer.status).toBe(403);
  });

  it("whose length nobody says is counted as it comes, and taken or refused like any other", async () => {
    const chunked = (
      path: string,
      body: string,
      pieces = `${body.length.toString(16)}\r\n${body}\r\n`,
    ) =>
      sendRaw(
        server.url,
        `POST ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Type: application/x-www-form-urlencoded\r\nTransfer-Encoding: chunked\r\n\r\n${pieces}0\r\n\r\n`,
      );
    expect(readStatus(await chunked("/newsletter", "email=nobody"))).toBe(422);
    expect(readStatus(await chunked("/newsletter", "a".repeat(300_000)))).toBe(413);
    expect(readStatus(await chunked("/contact/form", "", "1\r\na\r\n".repeat(2_000)))).toBe(400);
    expect((await get("/functions/v1/get_details?slug=x", { method: "POST" })).status).toBe(405);
  });

  it("to a page that takes no form gets the error view, without a stack", async () => {
    const answer = await get("/about", form({}));
    expect(answer.status).toBe(405);
    const html = await answer.text();
    expect(html).toContain("Unexpected Application Error!");
    expect(html).toContain("405 Method Not Allowed");
    expect(html).not.toMatch(/\bat \S+ \(|node_modules/);
  });
});

describe("an address that is slightly wrong", () => {
  it.each([
    ["/about/", "/about"],
    ["/About?a=1", "/about?a=1"],
    ["/PRIVACY/", "/privacy"],
  ])("%s leads to %s", async (asked, canonical) => {
    const answer = await get(asked);
    expect(answer.status).toBe(308);
    expect(answer.headers.get("location")).toBe(canonical);
  });

  it.each(["/Unknown", "/unknown/", "/assets/X.js", "/About.data", "/Robots.txt"])(
    "%s is left as it came",
    async (path) => {
      expect([200, 404]).toContain((await get(path)).status);
    },
  );
});

describe("every page", () => {
  const headers = async (path: string, init?: RequestInit) => (await get(path, init)).headers;

  it("carries a strict policy and the other safety headers", async () => {
    const about = await headers("/about");
    const policy = about.get("content-security-policy") ?? "";
    expect(policy).toMatch(/^default-src 'none'/);
    expect(policy).not.toContain("unsafe");
    expect(policy).toContain("frame-ancestors 'self'");
    expect(about.get("x-content-type-options")).toBe("nosniff");
    expect(about.get("referrer-policy")).toBe("strict-origin-when-cross-origin");
    expect(about.get("cross-origin-opener-policy")).toBe("same-origin");
    expect(about.get("permissions-policy")).toContain("camera=()");
  });

  it("asks for https for ever, but only where it is served over https", async () => {
    expect((await headers("/about")).get("strict-transport-security")).toBeNull();
    const secure = await headers("/about", { headers: { "x-forwarded-proto": "https" } });
    expect(secure.get("strict-transport-security")).toMatch(/^max-age=\d{8}/);
  });

  it("sets no cookie", async () => {
    for (const path of ["/", "/about", "/search?q=x", "/newsletter", "/none"]) {
      expect((await headers(path)).get("set-cookie")).toBeNull();
    }
  });

  it("is not to be kept when it is a search, a form or missing", async () => {
    for (const path of ["/search?q=x", "/newsletter", "/none", "/search.data?q=x"]) {
      expect((await headers(path)).get("cache-control"), path).toBe("no-store");
    }
    expect((await headers("/about")).get("cache-control")).toMatch(
      /^public, max-age=0, s-maxage=60/,
    );
  });

  it("names its one true address, whatever host it was asked under", async () => {
    const html = await (
      await get("/about?utm=1", { headers: { "x-forwarded-host": "evil.example" } })
    ).text();
    expect(html).toContain('rel="canonical" href="https://baltimore.harborline.example/about"');
    expect(html).not.toContain("evil.example");
  });

  it("answers HEAD like GET, without the page", async () => {
    const answer = await get("/about", { method: "HEAD" });
    expect(answer.status).toBe(200);
    expect(await answer.text()).toBe("");
  });

  it("is whole for the next reader after a program asked with HEAD", async () => {
    for (const path of ["/search?q=harbor", "/there-is-no-such-page"]) {
      await get(path, { method: "HEAD" });
      expect(await (await get(path)).text(), path).toContain("</main>");
    }
  });

  it("comes compressed", async () => {
    expect(
      (await headers("/about", { headers: { "accept-encoding": "gzip" } })).get("content-encoding"),
    ).toBe("gzip");
  });
});

describe("the machine room", () => {
  it("says that the process is up and the database answers", async () => {
    expect(await (await get("/healthz")).text()).toBe("ok\n");
    expect(await (await get("/readyz")).text()).toBe("ready\n");
  });

  it("keeps built files for a year and serves them as the build compressed them", async () => {
    const html = await (await get("/about")).text();
    const script = /\/assets\/[\w.-]+\.js/.exec(html)?.[0] ?? "";
    const answer = await get(script, { headers: { "accept-encoding": "br" } });
    expect(answer.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    expect(answer.headers.get("content-encoding")).toBe("br");
  });

  it("logs one JSON line a request, without address and without query", async () => {
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
