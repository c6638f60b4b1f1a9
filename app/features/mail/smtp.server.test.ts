import { describe, expect, it } from "vitest";
import { isRecipientError, isThisMachine } from "./smtp.server.ts";

describe("a refusal by a mail server", () => {
  it.each([
    ["550 5.1.1 No such user", true],
    ["550-5.1.1 The email account that you tried to reach does not exist", true],
    ["552 5.2.2 Mailbox full", true],
    ["550 No such user here", true],
    ["556 5.1.10 Recipient address has null MX", true],
    ["550 5.7.1 Client host blocked", false],
    ["554 5.7.1 Relay access denied", false],
    ["553 5.1.8 Sender address rejected", false],
    ["552 5.2.3 Message too large", false],
    ["554 Transaction failed", false],
    ["550 5.1.100 Something new", false],
  ])("with the response %j is about the recipient: %s", (response, expected) => {
    expect(isRecipientError(response)).toBe(expected);
  });
});

describe("a mail server", () => {
  it.each([
    ["smtp://localhost", true],
    ["smtp://127.0.0.1:25", true],
    ["smtp://127.8.9.10", true],
    ["smtp://[::1]:25", true],
    ["smtp://localhost.evil.example", false],
    ["smtp://localhostevil.example", false],
    ["smtp://127.evil.example", false],
    ["smtp://127.0.0.1.evil.example", false],
    ["smtp://[::1:0:0:2]", false],
    ["smtp://128.0.0.1", false],
  ])("at %s is on this machine, so it may get a password without TLS: %s", (url, expected) => {
    expect(isThisMachine(new URL(url).hostname)).toBe(expected);
  });
});
