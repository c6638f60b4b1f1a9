import { DrizzleQueryError } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { createLog, errorFields, errorMessage, toLoggedPath } from "./log.ts";

const noon = () => new Date("2026-11-15T12:00:00Z");

function createSink(isTTY: boolean) {
  const lines: string[] = [];
  return { lines, isTTY, write: (text: string) => lines.push(text) };
}

describe("the log", () => {
  it("writes one JSON line per event for programs", () => {
    const sink = createSink(false);
    createLog(sink, noon).info("request", { path: "/about", status: 200 });
    expect(sink.lines).toEqual([
      '{"time":"2026-11-15T12:00:00.000Z","level":"info","event":"request","path":"/about","status":200}\n',
    ]);
  });

  it("writes a value with a line break on one line", () => {
    const sink = createSink(false);
    createLog(sink, noon).warn("odd", { path: '/a\n{"event":"forged"}' });
    expect(sink.lines.join("").trimEnd()).not.toContain("\n");
  });

  it("reports a failed query without its parameters", () => {
    const sink = createSink(false);
    const queryError = new DrizzleQueryError(
      "insert into t values ($1)",
      ["secret@example.com"],
      new Error("disk full"),
    );
    createLog(sink, noon).error("page.failed", errorFields(queryError));
    expect(sink.lines[0]).toContain("disk full");
    expect(sink.lines[0]).toContain("insert into t");
    expect(sink.lines[0]).not.toContain("secret@example.com");
    expect(errorMessage(queryError)).toBe("The database query failed: disk full.");
  });

  it("does not contain a parameter that looks like a stack frame", () => {
    const queryError = new DrizzleQueryError(
      "select $1",
      ["\n    at secret@example.com"],
      new Error("away"),
    );
    expect(JSON.stringify(errorFields(queryError))).not.toContain("secret@example.com");
    expect(errorFields(queryError).stack).toContain("log.test.ts");
  });

  it("reports an error that a library has copied into a plain object", () => {
    const { message, stack } = new Error("the connection was closed");
    expect(errorFields({ message, stack, queue: "mail" })).toMatchObject({ message });
  });

  it("writes readable lines in a terminal, without control characters", () => {
    const sink = createSink(true);
    createLog(sink, noon).info("request", { path: "/about", status: 200 });
    expect(sink.lines[0]).toContain("12:00:00 request");
    expect(sink.lines[0]).toContain("path=/about status=200");
    createLog(sink, noon).warn("feed", { title: "\u001b]0;owned\u0007News\u009b2J" });
    expect(sink.lines[1]).toContain("title=]0;ownedNews2J\n");
  });
});

/** The end of a preview link: until when it works, and its signature. */
const token = `mhz1k2ab.${"c2lnbmF0dXJl_-".repeat(4).slice(0, 43)}`;

it.each([
  ["/news/fire?utm_source=x", "/news/fire"],
  [`/preview/fire/${token}`, "/preview/fire/…"],
  [`/preview/fire/${token}.data?_routes=x`, "/preview/fire/…"],
  [`/previewx/fire/${token}`, "/previewx/fire/…"],
  [`/${token}`, "/…"],
  [`/preview/fire/${token.slice(0, -1)}`, "/preview/fire/…"],
  [`/%70review/fire%2F${token}`, "/preview/fire/…"],
  [`/preview/fire/${token.replace(".", "%252e")}`, "/preview/fire/…"],
  [`/a/../pre%0aview/fire/${token}`, "/a/../preview/fire/…"],
  [`/preview\\fire\\${token}`, "/preview\\fire\\…"],
  [`/${"%61".repeat(100)}/${token}`, `/${"a".repeat(100)}/…`],
  ["/news/preview-of-spring/", "/news/preview-of-spring/"],
  ["/news/v1.the-longest-slug-that-a-story-has-ever-had", "/news/…"],
  [`/${"a".repeat(5_000)}`, `/${"a".repeat(199)}`],
])("the path %s is logged without a query or a signature", (url, logged) => {
  expect(toLoggedPath(url)).toBe(logged);
});
