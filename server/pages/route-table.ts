import type { ServerBuild } from "react-router";
import { z } from "zod";
import { pagePath } from "../../app/lib/links/page-path.ts";
import { parts } from "../../app/lib/links/parts.ts";
import type { RouteHandle } from "../../app/platform/route-handle.ts";
import type { LeafRoute, MatchedRoute } from "../http/request-env.ts";

/**
 * The compiler checks that this schema has the same keys as the declared type. At run time a
 * route's value may still be wrong.
 */
const handleSchema = z.strictObject({
  cache: z.enum(["public", "none"]).optional(),
  queryParams: z.array(z.string()).default([]),
  acceptsFiles: z.boolean().optional(),
  formBytes: z.number().int().positive().optional(),
  formFromAnySite: z.boolean().optional(),
  part: z.enum(parts).optional(),
  ownFrame: z.boolean().optional(),
} satisfies { [Key in keyof Required<RouteHandle>]: z.ZodType<unknown, RouteHandle[Key]> });

/** The pattern of app/routes/not-found.tsx. `find` does not return this route: see `notFound`. */
export const notFoundPattern = "/*";

export type RouteTable = ReturnType<typeof readRouteTable>;

/** Builds the table of routes that the server needs before React Router handles a request. */
export function readRouteTable(routes: ServerBuild["routes"]) {
  const leaves = listLeaves(routes, undefined, "", "public");
  const match = createMatcher(leaves);

  /**
   * Finds the page or file that a path leads to, in any spelling: case, encoding, a trailing slash.
   * The data of a page (`.data`) belongs to the page. Null if no route matches, or if the path
   * contains a "%" that encodes nothing.
   */
  function find(path: string): MatchedRoute | null {
    const requested = pagePath(path);
    const decoded = decodeUnreserved(requested);
    const route = match(decoded);
    if (!route) return null;
    const canonicalPath = toCanonicalPath(route.pattern, decoded);
    // One page must not be cached under many paths.
    const cache = canonicalPath === requested ? route.cache : "none";
    return { ...route, cache, canonicalPath };
  }

  /**
   * Whether a link with this path leads to a page. A path that no route matches may be redirected
   * to a page, unless it is the path of a file.
   */
  const isPage = (path: string): boolean =>
    find(path)?.isPage ?? path.lastIndexOf(".") < path.lastIndexOf("/");

  /** The paths of all pages without parameters. */
  const paths = leaves.flatMap(({ isPage: hasPage, pattern }) =>
    hasPage && !/[:*]/.test(pattern) ? [pattern] : [],
  );

  const notFound = leaves.find(({ pattern }) => pattern === notFoundPattern) ?? null;

  return { find, isPage, paths, notFound };
}

/**
 * The path by which a city has a route or not, such as /radio: its first segment, or the part that
 * the route declares.
 */
export function findPartPath(routes: ServerBuild["routes"], id: string): string {
  const { module, path = "", parentId } = routes[id] ?? {};
  const { part } = handleSchema.parse(module?.handle ?? {});
  if (part) return `/${part}`;
  const parent = parentId === undefined ? "/" : findPartPath(routes, parentId);
  return parent === "/" ? `/${path.split("/", 1)[0]}` : parent;
}

/** Returns the routes that have no child routes, with the pattern of their full path. */
function listLeaves(
  routes: ServerBuild["routes"],
  parentId: string | undefined,
  parentPath: string,
  parentCache: LeafRoute["cache"],
): LeafRoute[] {
  return Object.values(routes).flatMap((route) => {
    if (!route || route.parentId !== parentId) return [];
    const { id, module, path: ownPath } = route;
    const handle = handleSchema.parse(module.handle ?? {});
    const { cache = parentCache } = handle;
    const path = ownPath ? `${parentPath}/${ownPath}` : parentPath;
    const leaves = listLeaves(routes, id, path, cache);
    if (leaves.length > 0) return leaves;
    const [isPage, hasAction] = ["default" in module, "action" in module];
    const partPath = findPartPath(routes, id);
    return [{ ...handle, cache, pattern: path || "/", partPath, isPage, hasAction }];
  });
}

/**
 * Creates a function that finds a route as React Router does: segment by segment, ignoring case,
 * static segments before parameters. React Router's `matchRoutes` compiles every pattern again for
 * every path, which takes longer than everything else that the server does for a missing page.
 */
function createMatcher(leaves: LeafRoute[]): (path: string) => LeafRoute | undefined {
  const countParameters = (segments: string[]) => segments.filter(isParameter).length;
  const patterns = leaves
    .filter(({ pattern }) => pattern !== notFoundPattern)
    .map((leaf) => ({ segments: splitPath(leaf.pattern) ?? [], leaf }))
    .sort((one, other) => countParameters(one.segments) - countParameters(other.segments));
  const byLength = Map.groupBy(patterns, ({ segments }) =>
    segments.at(-1) === rest ? null : segments.length,
  );
  return (path) => {
    const requested = splitPath(path);
    if (!requested) return undefined;
    const matches = (segment: string, index: number) =>
      segment === rest ||
      (isParameter(segment) ? requested[index] !== "" : requested[index] === segment);
    const candidates = [requested.length, null].flatMap((length) => byLength.get(length) ?? []);
    return candidates.find(({ segments }) => segments.every(matches))?.leaf;
  };
}

/** The last segment of a pattern such as /desk/*, for every path that no other pattern matches. */
const rest = "*";
const isParameter = (segment: string) => segment.startsWith(":");

/** Writes the fixed segments of a path as the pattern does: /Blog/My-Post/ is /blog/My-Post. */
function toCanonicalPath(pattern: string, path: string): string {
  const segments = path.split("/");
  return pattern
    .split("/")
    .map((fixed, index) => {
      if (fixed === rest) return segments.slice(index).join("/");
      return isParameter(fixed) ? segments[index] : fixed;
    })
    .join("/");
}

/**
 * Decodes unreserved characters, which mean the same when percent-encoded (RFC 3986 6.2.2.2):
 * /%61bout is /about.
 */
const decodeUnreserved = (path: string) =>
  path.replaceAll(/%(?:2d|2e|3\d|4[1-9a-f]|5[0-9af]|6[1-9a-f]|7[0-9ae])/gi, decodeURIComponent);

/** Splits a path into decoded lowercase segments, without a trailing slash. Null if malformed. */
function splitPath(path: string): string[] | null {
  const segments = path.replace(/\/+$/, "").split("/").slice(1);
  try {
    return segments.map((segment) => decodeURIComponent(segment).toLowerCase());
  } catch {
    return null;
  }
}

/**
 * Lists the scripts and stylesheets of the build that only private pages load. `isPrivate` is asked
 * about the folder of a route's file, such as /desk/write.
 */
export function listPrivateAssets(
  { routes, assets }: Pick<ServerBuild, "routes" | "assets">,
  isPrivate: (path: string) => boolean,
): Set<string> {
  const filesOf = (hasPrivate: boolean) =>
    Object.values(assets.routes).flatMap((route) => {
      if (!route || isPrivate(route.id.replace(/^routes/, "")) !== hasPrivate) return [];
      const links = routes[route.id]?.module.links?.() ?? [];
      const stylesheets = links.flatMap((link) => ("href" in link ? (link.href ?? []) : []));
      // A part of a route's module, such as its client action, may be a file of its own.
      const { module, clientActionModule, clientLoaderModule, clientMiddlewareModule } = route;
      const parts = [clientActionModule, clientLoaderModule, clientMiddlewareModule];
      const modules = [module, ...parts, route.hydrateFallbackModule].flatMap((file) => file ?? []);
      return [...modules, ...(route.imports ?? []), ...(route.css ?? []), ...stylesheets];
    });
  const shared = new Set([...filesOf(false), assets.entry.module, ...assets.entry.imports]);
  return new Set(filesOf(true)).difference(shared);
}
