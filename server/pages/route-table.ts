import type { RouteObject, ServerBuild } from "react-router";
import { z } from "zod";
import { pagePath } from "../../app/lib/links/page-path.ts";
import type { RouteHandle } from "../../app/platform/route-handle.ts";

type DeclaredPolicy = RouteHandle["page"];

/**
 * The compiler checks that this schema has the same keys as the declared type. At run time a
 * route's value may still be wrong.
 */
const pagePolicySchema = z.strictObject({
  cache: z.enum(["public", "none"]).default("public"),
  params: z.array(z.string()).default([]),
  files: z.boolean().optional(),
  formBytes: z.number().int().positive().optional(),
  limitedParam: z.string().optional(),
  formFromAnySite: z.boolean().optional(),
} satisfies { [Key in keyof Required<DeclaredPolicy>]: z.ZodType<unknown, DeclaredPolicy[Key]> });
const routeHandleSchema = z.strictObject({ page: pagePolicySchema }).prefault({ page: {} });
/**
 * `path` is the pattern of the route, such as /news/:id. `isPage` is false for files, such as feeds
 * and images.
 */
export type PagePolicy = z.output<typeof pagePolicySchema> & { path: string; isPage: boolean };

type Entry = { page: Omit<PagePolicy, "path">; hasAction: boolean };
type Leaf = { path: string; page: PagePolicy; hasAction: boolean };

export type RouteTable = ReturnType<typeof readRouteTable>;

/**
 * Builds the table of routes that the server needs before React Router handles a request. The table
 * is built once, when the server starts.
 */
export function readRouteTable(routes: ServerBuild["routes"]) {
  const tree = buildTree(routes, undefined);
  const leaves = collectLeaves(tree, "");
  const findRoute = createMatcher(leaves);
  const staticPages = new Map(
    leaves
      .filter(({ path, page }) => page.isPage && !/[:*]/.test(path))
      .map((leaf) => [leaf.path.toLowerCase(), leaf]),
  );

  /** Whether no route matches the path. */
  const isMissing = (path: string) => findRoute(path) === undefined;

  /**
   * Returns the canonical path of a page for a path that differs in case, encoding or a trailing
   * slash. Null if the path is canonical already or does not lead to a page.
   */
  function findCanonicalPath(path: string): string | null {
    const decoded = decodeUnreserved(path);
    if (decoded !== path)
      return isMissing(decoded) ? null : (findCanonicalPath(decoded) ?? decoded);
    const withoutSlash = path.length > 1 ? path.replace(/\/$/, "") : path;
    const page = staticPages.get(withoutSlash.toLowerCase())?.path;
    if (page !== undefined) return page === path ? null : page;
    const route = findRoute(withoutSlash);
    const canonical = route?.page.isPage ? withCaseOf(route.path, withoutSlash) : path;
    return canonical === path ? null : canonical;
  }

  /**
   * Returns the policy that a page's route declares. Null if there is no page at this path or its
   * canonical path is a different one.
   */
  function findPolicy(path: string): PagePolicy | null {
    if (decodeUnreserved(path) !== path) return null;
    const page = pagePath(path);
    const known = staticPages.get(page);
    if (known) return known.page;
    const route = findRoute(page);
    // A feed is also found by another spelling of its path, but such a copy is not worth caching.
    if (!route || withCaseOf(route.path, page) !== page) return null;
    return path === page && findCanonicalPath(path) !== null ? null : route.page;
  }

  /**
   * Whether the path, such as a feed or an image, accepts no forms. A page without a form shows its
   * own error view instead.
   */
  function refusesForms(path: string): boolean {
    const entry = findRoute(path);
    return entry !== undefined && !entry.page.isPage && !entry.hasAction;
  }

  /**
   * Whether a link with this path leads to a page. A path that no route matches may be redirected
   * to a page, unless it is the path of a file.
   */
  function isPage(path: string): boolean {
    try {
      return findRoute(path)?.page.isPage ?? path.lastIndexOf(".") < path.lastIndexOf("/");
    } catch {
      // The path contains a "%" that encodes nothing, so it leads nowhere.
      return false;
    }
  }

  /** The paths of all pages without parameters. */
  const paths = [...staticPages.values()].map(({ path }) => path);

  return { findCanonicalPath, findPolicy, isMissing, isPage, refusesForms, paths };
}

function buildTree(routes: ServerBuild["routes"], parentId: string | undefined): RouteObject[] {
  return Object.values(routes).flatMap((route): RouteObject[] => {
    if (!route || route.parentId !== parentId) return [];
    const { page } = routeHandleSchema.parse(route.module.handle);
    const handle: Entry = {
      page: { ...page, isPage: "default" in route.module },
      hasAction: "action" in route.module,
    };
    if (route.index) return [{ id: route.id, index: true, handle }];
    return [
      {
        id: route.id,
        handle,
        ...(route.path === undefined ? {} : { path: route.path }),
        children: buildTree(routes, route.id),
      },
    ];
  });
}

/** Returns the routes that have no child routes, with their full path. */
function collectLeaves(tree: RouteObject[], parent: string): Leaf[] {
  return tree.flatMap(({ path: ownPath, children, handle }) => {
    const path = ownPath ? `${parent}/${ownPath}` : parent;
    if (children?.length) return collectLeaves(children, path);
    const pattern = path || "/";
    return [{ ...handle, path: pattern, page: { ...handle.page, path: pattern } }];
  });
}

/**
 * Creates a function that finds a route as React Router does: segment by segment, ignoring case,
 * static segments before parameters. React Router's `matchRoutes` compiles every pattern again for
 * every path, which takes longer than everything else that the server does for a missing page.
 */
function createMatcher(leaves: Leaf[]): (path: string) => Leaf | undefined {
  const countParameters = (segments: string[]) => segments.filter(isParameter).length;
  const patterns = leaves
    .filter(({ path }) => !path.endsWith("*"))
    .map((leaf) => ({ segments: splitPath(leaf.path), leaf }))
    .sort((one, other) => countParameters(one.segments) - countParameters(other.segments));
  const byLength = Map.groupBy(patterns, ({ segments }) => segments.length);
  return (path) => {
    const requested = splitPath(path);
    const matches = (segment: string, index: number) =>
      isParameter(segment) ? requested[index] !== "" : requested[index] === segment;
    return byLength.get(requested.length)?.find(({ segments }) => segments.every(matches))?.leaf;
  };
}

const isParameter = (segment: string) => segment.startsWith(":");

/** Writes the fixed segments of a path as the pattern of its route does: /Blog/My-Post is /blog/My-Post. */
function withCaseOf(pattern: string, path: string): string {
  const fixed = pattern.split("/");
  return path
    .split("/")
    .map((segment, index) => (isParameter(fixed[index] ?? ":") ? segment : fixed[index]))
    .join("/");
}

/**
 * Decodes unreserved characters, which mean the same when percent-encoded (RFC 3986 6.2.2.2):
 * /%61bout is /about.
 */
const decodeUnreserved = (path: string) =>
  path.replaceAll(/%(?:2d|2e|3\d|4[1-9a-f]|5[0-9af]|6[1-9a-f]|7[0-9ae])/gi, decodeURIComponent);

/** Splits a path into decoded lowercase segments; trailing slashes are ignored. */
function splitPath(path: string): string[] {
  const segments = path.replace(/\/+$/, "").split("/").slice(1);
  return segments.map((segment) => decodeURIComponent(segment).toLowerCase());
}
