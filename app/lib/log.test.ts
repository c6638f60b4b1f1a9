import { DrizzleQueryError } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { createLog, errorFields } from "./log.ts";

const noon = () => new Date("2026-11-15T12:00:00Z");

function sink(isTTY: boolean) {
  const lines: string[] = [];
  return { lines, isTTY, write: (text: string) => lines.push(text) };
}

describe("the log", () => {
  it("is one JSON line an event for machines", () => {
    const out = sink(false);
    createLog(out, noon).info("request", { path: "/about", status: 200 });
    expect(out.lines).toEqual([
      '{"time":"2026-11-15T12:00:00.000Z","level":"info","event":"request","path":"/about","status":200}\n',
    ]);
  });

  it("keeps a forged line break inside its own line", () => {
    const out = sink(false);
    createLog(out, noon).warn("odd", { path: '/a\n{"event":"forged"}' });
    expect(out.lines.join("").trimEnd()).not.toContain("\n");
  });

  it("tells of a failed query without the reader's words in it", () => {
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
  });

  it("is set for the eye in a terminal", () => {
    const out = sink(true);
    createLog(out, noon).info("request", { path: "/about", status: 200 });
    expect(out.lines[0]).toContain("12:00:00 request");
    expect(out.lines[0]).toContain("path=/about status=200");
  });
});
