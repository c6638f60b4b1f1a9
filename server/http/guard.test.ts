import { describe, expect, it } from "vitest";
import { findRefusal, maxTargetLength } from "./guard.ts";

describe("the first look at a request", () => {
  it.each([
    "/",
    "/about",
    "/blog/a-b",
    "/search?q=50%25%20off",
    "/search?q=%",
    "/caf%C3%A9",
    "/a.b/c",
  ])("lets %s pass", (target) => {
    expect(findRefusal("GET", target, "localhost:3000")).toBeNull();
  });

  it.each([
    ["malformed percent-encoding", "/%"],
    ["half a UTF-8 letter", "/%C3"],
    ["a NUL byte", "/a%00b"],
    ["a line break", "/a%0d%0aSet-Cookie:x"],
    ["a double slash", "//evil.example/"],
    ["a double slash inside", "/a//b"],
    ["a backslash", "/\\evil.example"],
    ["an encoded backslash", "/%5Cevil.example/"],
    ["an encoded double slash", "/%2f%2fevil.example"],
    ["a whole address", "http://evil.example/"],
    ["no path", "*"],
    ["a dot segment", "/./"],
    ["dot segments inside", "/radio/../about"],
    ["encoded dot segments", "/%2e%2e/about"],
  ])("answers 400 to %s", (_fault, target) => {
    expect(findRefusal("GET", target, "localhost:3000")).toMatchObject({ status: 400 });
  });

  it("answers 414 to an address that goes on and on", () => {
    expect(findRefusal("GET", `/${"a".repeat(maxTargetLength)}`, "localhost")).toMatchObject({
      status: 414,
    });
  });

  it.each(["PUT", "DELETE", "PATCH", "TRACE", "PROPFIND", "CONNECT"])(
    "answers 405 to %s",
    (method) => {
      expect(findRefusal(method, "/about", "localhost")).toMatchObject({ status: 405 });
    },
  );

  it.each(["baltimore.example", "localhost:3000", "127.0.0.1", "[::1]:3000"])(
    "takes %s for a host",
    (host) => {
      expect(findRefusal("GET", "/", host)).toBeNull();
    },
  );

  it.each(["", "a b", "evil.example/path", "user@host", "host:port"])(
    "answers 400 to the host %j",
    (host) => {
      expect(findRefusal("GET", "/", host)).toMatchObject({ status: 400 });
    },
  );
});
