import { describe, expect, it } from "vitest";
import { findRefusal, maxTargetLength } from "./http.ts";

describe("the check of the request line", () => {
  it.each([
    "/",
    "/about",
    "/blog/a-b",
    "/search?q=50%25%20off",
    "/search?q=%",
    "/caf%C3%A9",
    "/a.b/c",
  ])("accepts %s", (target) => {
    expect(findRefusal("GET", target, ["localhost:3000"])).toBeNull();
  });

  it.each([
    ["malformed percent-encoding", "/%"],
    ["an incomplete UTF-8 character", "/%C3"],
    ["a NUL byte", "/a%00b"],
    ["a line break", "/a%0d%0aSet-Cookie:x"],
    ["a double slash", "//evil.example/"],
    ["a double slash inside", "/a//b"],
    ["a backslash", "/\\evil.example"],
    ["an encoded backslash", "/%5Cevil.example/"],
    ["an encoded double slash", "/%2f%2fevil.example"],
    ["an absolute URL", "http://evil.example/"],
    ["no path", "*"],
    ["a fragment", "/news/a.data#x"],
    ["a fragment after a query", "/faq?a=b#x"],
    ["a dot segment", "/./"],
    ["dot segments inside", "/radio/../about"],
    ["encoded dot segments", "/%2e%2e/about"],
  ])("responds with 400 to %s", (_mistake, target) => {
    expect(findRefusal("GET", target, ["localhost:3000"])).toMatchObject({ status: 400 });
  });

  it("responds with 414 to a URL that is too long", () => {
    expect(findRefusal("GET", `/${"a".repeat(maxTargetLength)}`, ["localhost"])).toMatchObject({
      status: 414,
    });
  });

  it.each(["PUT", "DELETE", "PATCH", "TRACE", "PROPFIND", "CONNECT"])(
    "responds with 405 to %s",
    (method) => {
      expect(findRefusal(method, "/about", ["localhost"])).toMatchObject({ status: 405 });
    },
  );

  it.each(["baltimore.example", "localhost:3000", "127.0.0.1", "[::1]:3000"])(
    "accepts the host %s",
    (host) => {
      expect(findRefusal("GET", "/", [host])).toBeNull();
    },
  );

  it.each([[[]], [["a.example", "b.example"]], [["a.example", "a.example"]]])(
    "responds with 400 to the Host headers %j",
    (hosts) => {
      expect(findRefusal("GET", "/", hosts)).toMatchObject({ status: 400 });
    },
  );

  it.each([
    "",
    "a b",
    "evil.example/path",
    "user@host",
    "host:port",
    "localhost:99999",
    "1.2.3.4.5",
    "256.256.256.256",
    "999999999999",
  ])("responds with 400 to the host %j", (host) => {
    expect(findRefusal("GET", "/", [host])).toMatchObject({ status: 400 });
  });
});
