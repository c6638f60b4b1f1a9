import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { replaceNonceWithHashes } from "./csp.server.ts";

const hashOf = (script: string) =>
  `'sha256-${createHash("sha256").update(script).digest("base64")}'`;

describe("the page's security policy", () => {
  const markup =
    '<script nonce="m1">good()</script><p>text</p><script>injected()</script><script nonce="m1" src="/a.js"></script>';
  const { html, policy } = replaceNonceWithHashes(markup, "m1", { frames: [], scripts: [] });

  it("allows the scripts of the framework by their hash", () => {
    expect(policy).toContain(hashOf("good()"));
  });

  it("does not allow a script that was injected into the page", () => {
    expect(policy).not.toContain(hashOf("injected()"));
  });

  it("removes the mark, so that the page is the same for everyone", () => {
    expect(html).toBe(
      '<script>good()</script><p>text</p><script>injected()</script><script src="/a.js"></script>',
    );
  });

  it("never allows inline code in general", () => {
    expect(policy).not.toContain("unsafe");
    expect(policy).toContain("default-src 'none'");
  });
});
