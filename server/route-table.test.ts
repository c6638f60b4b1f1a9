import { matchRoutes, type ServerBuild } from "react-router";
import { describe, expect, it } from "vitest";
import { readRouteTable } from "./route-table.ts";

const page = { default: () => null };
const route = (
  id: string,
  parentId: string | undefined,
  path: string | undefined,
  module: object = page,
) => ({
  [id]: { id, parentId, path, module },
});

const table = readRouteTable({
  ...route("root", undefined, ""),
  ...route("layout", "root", undefined),
  home: { id: "home", parentId: "layout", index: true, module: page },
  ...route("about", "layout", "about"),
  ...route("search", "layout", "search", { ...page, handle: { page: { cache: "none" } } }),
  ...route("post", "layout", "blog/:slug"),
  ...route("robots", "layout", "robots.txt", { loader: () => null }),
  ...route("unknown", "layout", "*"),
} as ServerBuild["routes"]);

describe("the canonical address", () => {
  it.each([
    ["/about/", "/about"],
    ["/About", "/about"],
    ["/ABOUT/", "/about"],
    ["/blog/My-Post/", "/blog/My-Post"],
    ["/blog/caf%C3%A9/", "/blog/caf%C3%A9"],
  ])("of %s is %s", (asked, canonical) => {
    expect(table.canonicalPath(asked)).toBe(canonical);
  });

  it.each([
    "/",
    "/about",
    "/blog/My-Post",
    "/BLOG/My-Post",
    "/Unknown",
    "/unknown/",
    "/About.data",
    "/Robots.txt",
  ])("of %s is as it came", (asked) => {
    expect(table.canonicalPath(asked)).toBeNull();
  });
});

describe("the page policy", () => {
  it.each([
    ["/about", "public"],
    ["/search", "none"],
    ["/search.data", "none"],
    ["/search/_.data", "none"],
  ])("of %s is %s", (path, cache) => {
    expect(table.pageAt(path)).toEqual({ cache, params: [] });
  });

  it("does not exist where there is no page", () => {
    for (const path of ["/unknown", "/About", "/about/", "/blog/my-post/"])
      expect(table.pageAt(path), path).toBeNull();
  });

  it("refuses at start a policy that does not exist", () => {
    const typo = { ...page, handle: { page: { cache: "never" } } };
    const routes = route("root", undefined, "", typo) as ServerBuild["routes"];
    expect(() => readRouteTable(routes)).toThrow();
  });
});

describe("the router", () => {
  const routes = [
    { id: "wildcard", path: "*" },
    { id: "slug", path: "/blog/:slug" },
    { id: "blog", path: "/blog" },
    { id: "optional", path: "/:edition?/about" },
  ];
  const matched = (path: string) => matchRoutes(routes, path)?.at(-1);

  it("prefers the nearer route, whatever the order: a slug before the wildcard", () => {
    expect(matched("/blog")?.route.id).toBe("blog");
    expect(matched("/blog/oysters")).toMatchObject({ route: { id: "slug" }, params: { slug: "oysters" } });
    expect(matched("/blog/oysters/more")?.route.id).toBe("wildcard");
  });

  it("matches an optional segment with and without it", () => {
    expect(matched("/about")).toMatchObject({ route: { id: "optional" }, params: {} });
    expect(matched("/east/about")).toMatchObject({ route: { id: "optional" }, params: { edition: "east" } });
  });

  it("gives the wildcard all that is left", () => {
    expect(matched("/no/such/page")).toMatchObject({ params: { "*": "no/such/page" } });
  });
});
