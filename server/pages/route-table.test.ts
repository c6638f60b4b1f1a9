import { matchRoutes, type ServerBuild } from "react-router";
import { describe, expect, it } from "vitest";
import { listPrivateAssets, readRouteTable } from "./route-table.ts";

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
  ...route("search", "layout", "search", { ...page, handle: { cache: "none" } }),
  ...route("post", "layout", "blog/:slug"),
  ...route("desk", "layout", "desk", { ...page, handle: { cache: "none" } }),
  ...route("draft", "desk", "write/:id"),
  ...route("unknown-at-desk", "desk", "*"),
  ...route("robots", "layout", "robots.txt", { loader: () => null }),
  ...route("unknown", "layout", "*"),
} as ServerBuild["routes"]);

describe("the canonical path", () => {
  it.each([
    ["/", "/"],
    ["/about", "/about"],
    ["/about/", "/about"],
    ["/About", "/about"],
    ["/ABOUT/", "/about"],
    ["/About.data", "/about"],
    ["/blog/My-Post/", "/blog/My-Post"],
    ["/BLOG/My-Post", "/blog/My-Post"],
    ["/blog/caf%C3%A9/", "/blog/caf%C3%A9"],
    ["/%61bout", "/about"],
    ["/ab%6Fut/", "/about"],
    ["/blog/%6dy-post", "/blog/my-post"],
    ["/Desk/No/Such-Page", "/desk/No/Such-Page"],
    ["/Robots.txt", "/robots.txt"],
  ])("of %s is %s", (requested, canonical) => {
    expect(table.find(requested)?.canonicalPath).toBe(canonical);
  });
});

describe("what a route declares", () => {
  it.each([
    ["/about", "public"],
    ["/about.data", "public"],
    ["/search", "none"],
    ["/search.data", "none"],
    ["/search/_.data", "none"],
    ["/desk/write/1", "none"],
    ["/desk/write/1/2", "none"],
  ])("about %s: its cache is %s", (path, cache) => {
    expect(table.find(path)).toMatchObject({ cache, queryParams: [] });
  });

  it("is known for every spelling of a path, but only one of them is cached", () => {
    for (const path of ["/About", "/about/", "/%61bout", "/Blog/my-post", "/Robots.txt"])
      expect(table.find(path), path).toMatchObject({ cache: "none", queryParams: [] });
  });

  it("says whether a path is a file and accepts forms", () => {
    expect(table.find("/robots.txt")).toMatchObject({ isPage: false, hasAction: false });
    expect(table.find("/about")).toMatchObject({ isPage: true, hasAction: false });
  });

  it("does not exist where there is no page", () => {
    for (const path of ["/unknown", "/about/more", "/blog/%"])
      expect(table.find(path), path).toBeNull();
  });

  it("is checked at startup: an unknown value is an error", () => {
    const typo = { ...page, handle: { cache: "never" } };
    const routes = route("root", undefined, "", typo) as ServerBuild["routes"];
    expect(() => readRouteTable(routes)).toThrow();
  });
});

describe("the route of a path", () => {
  const patterns = [
    "about",
    "blog",
    "blog/:slug",
    "blog/feed.xml",
    "blog/image/:signature/:name",
    "events/submit",
    "events/:id",
    "events/:id/calendar.ics",
    "blog/*",
    "*",
  ];
  // Each page declares a different `formBytes`, so that the test can tell which one was found.
  const pages = patterns.map((path, index) => ({
    path,
    handle: { cache: "public", queryParams: [], formBytes: index + 1 },
  }));
  const ourTable = readRouteTable({
    ...route("root", undefined, ""),
    ...Object.assign(
      {},
      ...pages.map(({ path, handle }) => route(path, "root", path, { ...page, handle })),
    ),
  });

  it("is the one that React Router finds, for every path of up to four segments", () => {
    const segments = [
      "",
      "about",
      "About",
      "blog",
      "feed.xml",
      "image",
      "events",
      "submit",
      "calendar.ics",
      "x",
      "%61bout",
      "a%2Fb",
    ];
    const appendSegments = (paths: string[]) =>
      paths.flatMap((path) => segments.map((segment) => `${path}/${segment}`));
    const short = appendSegments([""]).concat(appendSegments(appendSegments([""])));
    const long = appendSegments([
      "/blog/image",
      "/events/x",
      "/blog/image/x",
      "/events/x/calendar.ics",
    ]);
    const differing = [...short, ...long].filter((path) => {
      const expected = matchRoutes(pages, path)?.at(-1)?.route;
      const isKnown = expected !== undefined && expected.path !== "*";
      return ourTable.find(path)?.formBytes !== (isKnown ? expected.handle.formBytes : undefined);
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
  const findMatch = (path: string) => matchRoutes(routes, path)?.at(-1);

  it("prefers the more specific route in any order: a slug before the wildcard", () => {
    expect(findMatch("/blog")?.route.id).toBe("blog");
    expect(findMatch("/blog/oysters")).toMatchObject({
      route: { id: "slug" },
      params: { slug: "oysters" },
    });
    expect(findMatch("/blog/oysters/more")?.route.id).toBe("wildcard");
  });

  it("matches a path with and without an optional segment", () => {
    expect(findMatch("/about")).toMatchObject({ route: { id: "optional" }, params: {} });
    expect(findMatch("/east/about")).toMatchObject({
      route: { id: "optional" },
      params: { edition: "east" },
    });
  });

  it("passes the rest of the path to the wildcard", () => {
    expect(findMatch("/no/such/page")).toMatchObject({ params: { "*": "no/such/page" } });
  });
});

it("knows the files that only private pages load", () => {
  const assets = (module: string, imports: string[]) => ({
    id: `routes/${module}`,
    module,
    imports,
  });
  const build = {
    routes: route("routes/desk/log", undefined, "log", { links: () => [{ href: "desk.css" }] }),
    assets: {
      entry: { module: "entry.js", imports: ["react.js"] },
      routes: {
        home: assets("home", ["shared.js"]),
        log: {
          ...assets("desk/log", ["shared.js", "react.js", "time.js"]),
          clientActionModule: "action.js",
        },
      },
    },
  };
  const isPrivate = (path: string) => path.startsWith("/desk/");
  expect(listPrivateAssets(build as unknown as ServerBuild, isPrivate)).toEqual(
    new Set(["desk/log", "action.js", "time.js", "desk.css"]),
  );
});
