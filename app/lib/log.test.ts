import { DrizzleQueryError } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { createLog, errorFields, errorMessage } from "./log.ts";

const noon = () => new Date("2026-11-15T12:00:00Z");

function sink(isTTY: boolean) {
  const lines: string[] = [];
  return { lines, isTTY, write: (text: string) => lines.push(text) };
}

describe("the log", () => {
  it("writes one JSON line per event for programs", () => {
    const out = sink(false);
    createLog(out, noon).info("request", { path: "/about", status: 200 });
    expect(out.lines).toEqual([
      '{"time":"2026-11-15T12:00:00.000Z","level":"info","event":"request","path":"/about","status":200}\n',
    ]);
  });

  it("keeps a line break in a value inside the same line", () => {
    const out = sink(false);
    createLog(out, noon).warn("odd", { path: '/a\n{"event":"forged"}' });
    expect(out.lines.join("").trimEnd()).not.toContain("\n");
  });

  it("reports a failed query without the text of the reader", () => {
    const out = sink(false);
    const failed = new DrizzleQueryError(
      "insert into t values ($1)",
      ["secret@example.com"],
      new Error("disk full"),
    );
    createLog(out, noon).error("page.failed", errorFields(failed));
    expect(out.lines[0]).toContain("disk full");
    expect(out.lines[0]).toContain("insert into t");
    expect(out.lines[0]).not.toContain("secret@example.com");
    expect(errorMessage(failed)).toBe("The database query failed: disk full.");
  });

  it("does not contain a parameter that looks like a stack frame", () => {
    const failed = new DrizzleQueryError(
      "select $1",
      ["\n    at secret@example.com"],
      new Error("away"),
    );
    expect(JSON.stringify(errorFields(failed))).not.toContain("secret@example.com");
    expect(errorFields(failed).stack).toContain("log.test.ts");
  });

  it("reports an error that a library has copied into a plain object", () => {
    const { message, stack } = new Error("the connection was closed");
    expect(errorFields({ message, stack, queue: "mail" })).toMatchObject({ message });
  });

  it("writes readable lines in a terminal, without control characters", () => {
    const out = sink(true);
    createLog(out, noon).info("request", { path: "/about", status: 200 });
    expect(out.lines[0]).toContain("12:00:00 request");
    expect(out.lines[0]).toContain("path=/about status=200");
    createLog(out, noon).warn("feed", { title: "\u001b]0;owned\u0007News\u009b2J" });
    expect(out.lines[1]).toContain("title=]0;ownedNews2J\n");
  });
});
