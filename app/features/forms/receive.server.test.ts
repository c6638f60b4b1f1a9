import { describe, expect, it } from "vitest";
import { emailField, issueToken, readToken, requiredText } from "./receive.server.ts";

const secret = Buffer.alloc(32, 1);
const issuedAt = new Date("2026-11-15T12:00:00Z");
const later = (ms: number) => new Date(issuedAt.getTime() + ms);

describe("the token of a form", () => {
  const token = issueToken(secret, issuedAt);

  it("is valid from two seconds to twelve hours after it was issued", () => {
    expect(readToken(secret, token, later(1_999)).kind).toBe("early");
    expect(readToken(secret, token, later(2_000)).kind).toBe("valid");
    expect(readToken(secret, token, later(12 * 3_600_000)).kind).toBe("valid");
    expect(readToken(secret, token, later(12 * 3_600_000 + 1)).kind).toBe("late");
  });

  it("has the same nonce each time it is read, and a different nonce from other tokens", () => {
    expect(readToken(secret, token, later(3_000))).toEqual(readToken(secret, token, later(9_000)));
    expect(readToken(secret, issueToken(secret, issuedAt), later(3_000))).not.toEqual(
      readToken(secret, token, later(3_000)),
    );
  });

  it.each([
    ["empty", ""],
    ["forged", "abc.def.ghi"],
    ["signed for another time", token.replace(/^[^.]+/, later(-9e9).getTime().toString(36))],
    ["extended", `${token}.x`],
    ["signed by another city", issueToken(Buffer.alloc(32, 2), issuedAt)],
  ])("is refused if it is %s", (_, invalidToken) => {
    expect(readToken(secret, invalidToken, later(3_000)).kind).toBe("unknown");
  });
});

it.each(["", " \n", "\u200b", "\u200e \u2060"])(
  "%j does not count as a text that was typed",
  (text) => {
    const parsed = requiredText("Type something.", 20).safeParse(text);
    expect(parsed.error?.issues.map(({ message }) => message)).toEqual(["Type something."]);
  },
);

it.each([
  ["too long", `${"@".repeat(1_000)}`, "Please enter a shorter email address."],
  ["without a dot", "me@example", "Please enter a complete email address"],
])("an email address that is %s gets one message", (_, typed, message) => {
  const messages = emailField.safeParse(typed).error?.issues.map((issue) => issue.message);
  expect(messages).toEqual([expect.stringContaining(message)]);
});
