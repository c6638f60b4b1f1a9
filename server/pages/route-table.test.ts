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

it("knows which addresses take nothing that is sent", () => {
  expect(["/robots.txt", "/about", "/blog/x", "/nowhere"].filter(table.refusesForms)).toEqual([
    "/robots.txt",
  ]);
});

describe("the canonical address", () => {
  it.each([
    ["/about/", "/about"],
    ["/About", "/about"],
    ["/ABOUT/", "/about"],
    ["/blog/My-Post/", "/blog/My-Post"],
    ["/blog/caf%C3%A9/", "/blog/caf%C3%A9"],
    ["/%61bout", "/about"],
    ["/ab%6Fut/", "/about"],
    ["/blog/%6dy-post", "/blog/my-post"],
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

describe("the route of an address", () => {
  const patterns = [
    "about",
    "blog",
    "blog/:slug",
    "blog/feed.xml",
    "blog/picture/:signature/:name",
    "events/submit",
    "events/:id",
    "events/:id/calendar.ics",
    "*",
  ];
  // What a page says of itself tells which one it is.
  const pages = patterns.map((path, index) => ({
    path,
    handle: { page: { cache: "public", params: [], formBytes: index + 1 } },
  }));
  const own = readRouteTable({
    ...route("root", undefined, ""),
    ...Object.assign(
      {},
      ...pages.map(({ path, handle }) => route(path, "root", path, { ...page, handle })),
    ),
  });

  it("is the one that React Router finds, for every address of up to four segments", () => {
    const words = [
      "",
      "about",
      "About",
      "blog",
      "feed.xml",
      "picture",
      "events",
      "submit",
      "calendar.ics",
      "x",
      "%61bout",
      "a%2Fb",
    ];
    const longer = (paths: string[]) =>
      paths.flatMap((path) => words.map((word) => `${path}/${word}`));
    const short = longer([""]).concat(longer(longer([""])));
    const long = longer([
      "/blog/picture",
      "/events/x",
      "/blog/picture/x",
      "/events/x/calendar.ics",
    ]);
    const differing = [...short, ...long].filter((path) => {
      const found = matchRoutes(pages, path)?.at(-1)?.route;
      const isKnown = found !== undefined && found.path !== "*";
      const policy = own.canonicalPath(path) === null ? own.pageAt(path) : found?.handle.page;
      return (
        own.isMissing(path) === isKnown ||
        policy?.formBytes !== (isKnown ? found.handle.page.formBytes : undefined)
      );
    });
    expect(differing).toEqual([]);
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
    expect(matched("/blog/oysters")).toMatchObject({
      route: { id: "slug" },
      params: { slug: "oysters" },
    });
    expect(matched("/blog/oysters/more")?.route.id).toBe("wildcard");
  });

  it("matches an optional segment with and without it", () => {
    expect(matched("/about")).toMatchObject({ route: { id: "optional" }, params: {} });
    expect(matched("/east/about")).toMatchObject({
      route: { id: "optional" },
      params: { edition: "east" },
    });
  });

  it("gives the wildcard all that is left", () => {
    expect(matched("/no/such/page")).toMatchObject({ params: { "*": "no/such/page" } });
  });
});
