import { describe, expect, it } from "vitest";
import { nextTry, readVisit } from "./polite.server.ts";

const now = new Date("2026-11-15T12:00:00Z");
const unknown = { etag: null, lastModified: null, bodyHash: null };
const answer = (status: number, headers: Record<string, string> = {}) =>
  readVisit(
    {
      kind: "answer",
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
  ])("as its answer allows (%o), within a quarter of an hour and three hours", (headers, expected) => {
    expect(minutes(nextTry(now, answer(200, headers), 0, 0))).toBe(expected);
  });

  it("later and later while it fails, but at least once a day, for ever", () => {
    const waits = [1, 2, 3, 7, 8, 50, 5_000].map((failures) =>
      minutes(nextTry(now, answer(500), failures, 0)),
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
    expect(minutes(nextTry(now, answer(429, { "retry-after": value }), 1, 0))).toBe(expected);
  });

  it("not at the same moment as all the others", () => {
    expect(minutes(nextTry(now, answer(200), 0, 1))).toBe(16.5);
  });
});
