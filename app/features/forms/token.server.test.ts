import { describe, expect, it } from "vitest";
import { issueToken, readToken } from "./token.server.ts";

const key = Buffer.alloc(32, 1);
const given = new Date("2026-11-15T12:00:00Z");
const later = (ms: number) => new Date(given.getTime() + ms);

describe("the token of a form", () => {
  const token = issueToken(key, given);

  it("is good from two seconds to twelve hours after it was given out", () => {
    expect(readToken(key, token, later(1_999)).kind).toBe("early");
    expect(readToken(key, token, later(2_000)).kind).toBe("good");
    expect(readToken(key, token, later(12 * 3_600_000)).kind).toBe("good");
    expect(readToken(key, token, later(12 * 3_600_000 + 1)).kind).toBe("late");
  });

  it("gives the same key each time it is read, and another for another form", () => {
    expect(readToken(key, token, later(3_000))).toEqual(readToken(key, token, later(9_000)));
    expect(readToken(key, issueToken(key, given), later(3_000))).not.toEqual(
      readToken(key, token, later(3_000)),
    );
  });

  it.each([
    ["nothing", ""],
    ["a made-up one", "abc.def.ghi"],
    ["one with another time", token.replace(/^[^.]+/, later(-9e9).getTime().toString(36))],
    ["one with something added", `${token}.x`],
    ["one of another city", issueToken(Buffer.alloc(32, 2), given)],
  ])("is not believed when it is %s", (_, text) => {
    expect(readToken(key, text, later(3_000)).kind).toBe("unknown");
  });
});
