import { once } from "node:events";
import { createServer } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createSafeFetch } from "./safe-fetch.server.ts";
import { nextVisitTime, toVisitResult } from "./source-visits.server.ts";

const now = new Date("2026-11-15T12:00:00Z");
const unknown = { etag: null, lastModified: null, bodyHash: null };
const answer = (status: number, headers: Record<string, string> = {}) =>
  toVisitResult(
    {
      kind: "response",
      status,
      url: "https://a.example/",
      headers: new Headers(headers),
      body: new Uint8Array(),
    },
    unknown,
    now,
  );
const minutes = (date: Date) => (date.getTime() - now.getTime()) / 60_000;

describe("a source is asked again", () => {
  it.each([
    [{}, 15],
    [{ "cache-control": "max-age=60" }, 15],
    [{ "cache-control": "public, max-age=3600" }, 60],
    [{ "cache-control": "max-age=99999999" }, 180],
  ])(
    "as its answer allows (%o), within a quarter of an hour and three hours",
    (headers, expected) => {
      expect(minutes(nextVisitTime(now, answer(200, headers), 0, 0))).toBe(expected);
    },
  );

  it("later and later while it fails, but at least once a day, for ever", () => {
    const waits = [1, 2, 3, 7, 8, 50, 5_000].map((failures) =>
      minutes(nextVisitTime(now, answer(500), failures, 0)),
    );
    expect(waits).toEqual([15, 30, 60, 960, 1440, 1440, 1440]);
  });

  it.each([
    ["3600", 60],
    ["Sun, 15 Nov 2026 14:00:00 GMT", 120],
    ["5", 15],
    ["rubbish", 15],
    ["99999999", 1440],
  ])("when it says so itself: Retry-After %s", (value, expected) => {
    expect(minutes(nextVisitTime(now, answer(429, { "retry-after": value }), 1, 0))).toBe(expected);
  });

  it("not at the same moment as all the others", () => {
    expect(minutes(nextVisitTime(now, answer(200), 0, 1))).toBe(16.5);
  });
});

describe("what is wrong with a source is said in words", () => {
  const server = createServer((request, response) => {
    response
      .setHeader("Content-Encoding", request.url?.slice(1) ?? "")
      .end("not compressed at all");
  });
  beforeAll(async () => {
    await once(server.listen(0, "127.0.0.1"), "listening");
  });
  afterAll(() => {
    server.close();
  });
  const visit = async (url: string) =>
    toVisitResult(await createSafeFetch(["127.0.0.1"])(url), unknown, now);

  it.each(["gzip", "br", "deflate"])("when it sends damaged data as %s", async (encoding) => {
    const address = server.address();
    if (address === null || typeof address === "string") throw new Error("no port");
    expect(await visit(`http://127.0.0.1:${address.port}/${encoding}`)).toMatchObject({
      kind: "failed",
      cause: "not-readable",
      detail: "sent compressed data that is damaged",
    });
  });

  it("when nobody listens, and when its name does not exist", async () => {
    expect(await visit("http://127.0.0.1:1024/")).toMatchObject({
      detail: "refused the connection",
    });
    expect(await visit("http://no-such-host.invalid/")).toMatchObject({
      detail: expect.stringMatching(/^its name /),
    });
  });

  it.each([
    ["CERT_HAS_EXPIRED", "its certificate has expired"],
    ["ERR_TLS_CERT_ALTNAME_INVALID", "its certificate is for another name"],
    ["ERR_SSL_WRONG_VERSION_NUMBER", "a secure connection could not be made"],
    ["HPE_INVALID_CONSTANT", "answered with something that is not HTTP"],
    ["ECONNRESET", "closed the connection too early"],
    ["ESOMETHINGNEW", "the connection failed"],
    ["is larger than 5120 KB", "is larger than 5120 KB"],
  ])("when the connection ends with %s", (detail, expected) => {
    expect(
      toVisitResult({ kind: "failed", cause: "connection", detail }, unknown, now),
    ).toMatchObject({
      detail: expected,
    });
  });
});
