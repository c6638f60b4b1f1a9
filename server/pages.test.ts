import { describe, expect, it } from "vitest";
import { keyOf } from "./pages.ts";

const pageAt = (path: string) => {
  if (path === "/about" || path === "/about.data") return { cache: "public" as const, params: [] };
  if (path === "/blog") return { cache: "public" as const, params: ["page", "tag"] };
  if (path === "/search") return { cache: "none" as const, params: ["q"] };
  return null;
};

describe("the key of a page", () => {
  it.each([
    ["/about", "/about"],
    ["/about?utm_source=x&page=3", "/about"],
    ["/about?", "/about"],
    ["/about.data", "/about.data"],
    ["/blog?page=2", "/blog?page=2"],
    ["/blog?tag=oysters&x=1&page=2", "/blog?page=2&tag=oysters"],
    ["/blog?page=2&page=3", "/blog?page=2"],
    ["/blog?page=a%26b%3D%0d", "/blog?page=a%26b%3D%0D"],
  ])("of %s is %s: only declared parameters count", (target, key) => {
    expect(keyOf(target, pageAt)).toBe(key);
  });

  it.each(["/search?q=x", "/unknown", "/assets/a.js", "/about.data?_routes=root"])(
    "does not exist for %s",
    (target) => {
      expect(keyOf(target, pageAt)).toBeNull();
    },
  );
});
