import { once } from "node:events";
import { createServer } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createSafeFetch } from "./safe-fetch.server.ts";
import { feedPace, nextVisitTime, toVisitResult } from "./source-visits.server.ts";

const now = new Date("2026-11-15T12:00:00Z");
const noValidators = { etag: null, lastModified: null, bodyHash: null };
const visitWith = (status: number, headers: Record<string, string> = {}) =>
  toVisitResult(
    {
      kind: "response",
      status,
      url: "https://a.example/",
      headers: new Headers(headers),
      body: new Uint8Array(),
    },
    noValidators,
    now,
  );
const minutesUntil = (date: Date) => (date.getTime() - now.getTime()) / 60_000;

describe("a source is visited again", () => {
  it.each([
    [{}, 15],
    [{ "cache-control": "max-age=60" }, 15],
    [{ "cache-control": "public, max-age=3600" }, 60],
    [{ "cache-control": "max-age=99999999" }, 180],
  ])("after 15 minutes to three hours, depending on its headers (%o)", (headers, expected) => {
    expect(minutesUntil(nextVisitTime(now, visitWith(200, headers), 0, feedPace))).toBe(expected);
  });

  it("after longer and longer waits while it fails, but always at least once a day", () => {
    const waits = [1, 2, 3, 7, 8, 50, 5_000].map((failures) =>
      minutesUntil(nextVisitTime(now, visitWith(500), failures, feedPace)),
    );
    expect(waits).toEqual([15, 30, 60, 960, 1440, 1440, 1440]);
  });

  it.each([
    ["3600", 60],
    ["Sun, 15 Nov 2026 14:00:00 GMT", 120],
    ["5", 15],
    ["rubbish", 15],
    ["99999999", 1440],
  ])("when its Retry-After header (%s) allows it", (value, expected) => {
    expect(
      minutesUntil(nextVisitTime(now, visitWith(429, { "retry-after": value }), 1, feedPace)),
    ).toBe(expected);
  });

  it("at a different time from the other sources", () => {
    expect(minutesUntil(nextVisitTime(now, visitWith(200), 0, feedPace, 1))).toBe(16.5);
  });
});

describe("the status of a source describes the problem", () => {
  const server = createServer((request, response) => {
    const [, header = "", value = "", times] = request.url?.split("/") ?? [];
    const text = decodeURIComponent(value).repeat(Number(times));
    response.setHeader(header, text).end("not compressed at all");
  });
  beforeAll(async () => {
    await once(server.listen(0, "127.0.0.1"), "listening");
  });
  afterAll(() => {
    server.close();
  });
  const visit = async (url: string) =>
    toVisitResult(await createSafeFetch(["127.0.0.1"])(url), noValidators, now);
  /** Visits a source that sends this header, with its value repeated. */
  const visitWithHeader = (header: string, value: string, times = 1) => {
    const address = server.address();
    if (address === null || typeof address === "string") throw new Error("no port");
    return visit(
      `http://127.0.0.1:${address.port}/${header}/${encodeURIComponent(value)}/${times}`,
    );
  };

  it.each(["gzip", "br", "deflate"])("when it sends damaged data as %s", async (encoding) => {
    expect(await visitWithHeader("Content-Encoding", encoding)).toMatchObject({
      kind: "failed",
      cause: "not-readable",
    });
  });

  it("when its data is compressed twice, and when its headers are too large", async () => {
    expect(await visitWithHeader("Content-Encoding", "gzip, gzip")).toMatchObject({
      cause: "not-readable",
      detail: "is encoded as gzip, gzip, which we did not request",
    });
    expect(await visitWithHeader("Location", "x", 60_000)).toMatchObject({
      cause: "too-large",
      detail: "HPE_HEADER_OVERFLOW",
    });
  });

  it("when it says that nothing has changed, although we have never read it", () => {
    expect(visitWith(304)).toMatchObject({ kind: "failed", cause: "broken" });
  });

  it("when it refuses connections, and when its host name does not exist", async () => {
    expect(await visit("http://127.0.0.1:1024/")).toMatchObject({
      detail: "ECONNREFUSED",
    });
    expect(await visit("http://no-such-host.invalid/")).toMatchObject({
      cause: "dns",
    });
  });
});
