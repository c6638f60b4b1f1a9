import type { RouteObject, ServerBuild } from "react-router";
import { z } from "zod";
import { pagePath } from "../../app/lib/links/page-path.ts";
import type { RouteHandle } from "../../app/platform/route-handle.ts";

type Declared = RouteHandle["page"];

/**
 * The same keys as the type of the declaration, which the compiler checks. At run time a value may
 * still be wrong.
 */
const pagePolicy = z.strictObject({
  cache: z.enum(["public", "none"]).default("public"),
  params: z.array(z.string()).default([]),
  files: z.boolean().optional(),
  formBytes: z.number().int().positive().optional(),
} satisfies { [Key in keyof Required<Declared>]: z.ZodType<unknown, Declared[Key]> });
const routeHandle = z.strictObject({ page: pagePolicy }).prefault({ page: {} });
export type PagePolicy = z.output<typeof pagePolicy>;

type Entry = { page: PagePolicy; isPage: boolean; hasAction: boolean };
type Leaf = Entry & { path: string };

export type RouteTable = ReturnType<typeof readRouteTable>;

/**
 * The routes as the server needs them before React Router runs; read once, when the server starts.
 */
export function readRouteTable(routes: ServerBuild["routes"]) {
  const tree = buildTree(routes, undefined);
  const leaves = collectLeaves(tree, "");
  const routeAt = createMatcher(leaves);
  const staticPages = new Map(
    leaves
      .filter(({ path, isPage }) => isPage && !/[:*]/.test(path))
      .map((leaf) => [leaf.path.toLowerCase(), leaf]),
  );

  /** Whether no route knows the address. */
  const isMissing = (path: string) => routeAt(path) === undefined;

  /**
   * Where the page of a slightly wrong address really is; null when the address is right or not a
   * page's.
   */
  function canonicalPath(path: string): string | null {
    const plain = decodeUnreserved(path);
    if (plain !== path) return isMissing(plain) ? null : (canonicalPath(plain) ?? plain);
    const withoutSlash = path.length > 1 ? path.replace(/\/$/, "") : path;
    const page = staticPages.get(withoutSlash.toLowerCase())?.path;
    if (page !== undefined) return page === path ? null : page;
    return withoutSlash !== path && routeAt(withoutSlash)?.isPage ? withoutSlash : null;
  }

  /**
   * What the route of an address says of its page; null where there is none, or its true address is
   * another.
   */
  function pageAt(path: string): PagePolicy | null {
    if (decodeUnreserved(path) !== path) return null;
    const page = pagePath(path);
    const known = staticPages.get(page);
    if (known) return known.page;
    return path === page && canonicalPath(path) !== null ? null : (routeAt(page)?.page ?? null);
  }

  /**
   * Whether nothing can be sent to the address: a feed, an image. A page without a form answers
   * with its own error view.
   */
  function refusesForms(path: string): boolean {
    const entry = routeAt(path);
    return entry !== undefined && !entry.isPage && !entry.hasAction;
  }

  /** The pages whose whole address is known. */
  const paths = [...staticPages.values()].map(({ path }) => path);

  return { canonicalPath, pageAt, isMissing, refusesForms, paths };
}

function buildTree(routes: ServerBuild["routes"], parentId: string | undefined): RouteObject[] {
  return Object.values(routes).flatMap((route): RouteObject[] => {
    if (!route || route.parentId !== parentId) return [];
    const { page } = routeHandle.parse(route.module.handle);
    const handle: Entry = {
      page,
      isPage: "default" in route.module,
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

/** The routes that have no routes below them, with their whole address. */
function collectLeaves(tree: RouteObject[], parent: string): Leaf[] {
  return tree.flatMap(({ path: own, children, handle }) => {
    const path = own ? `${parent}/${own}` : parent;
    return children?.length ? collectLeaves(children, path) : [{ path: path || "/", ...handle }];
  });
}

/**
 * Finds a route as React Router does: by whole segments in any case, words before parameters. Its
 * own `matchRoutes` compiles every pattern again for every address, which takes longer than all
 * else that is done for a missing page.
 */
function createMatcher(leaves: Leaf[]): (path: string) => Entry | undefined {
  const isParameter = (segment: string) => segment.startsWith(":");
  const parametersIn = (segments: string[]) => segments.filter(isParameter).length;
  const patterns = leaves
    .filter(({ path }) => !path.endsWith("*"))
    .map(({ path, ...entry }) => ({ segments: splitPath(path), entry }))
    .sort((one, other) => parametersIn(one.segments) - parametersIn(other.segments));
  const byLength = Map.groupBy(patterns, ({ segments }) => segments.length);
  return (path) => {
    const asked = splitPath(path);
    const fits = (segment: string, at: number) =>
      isParameter(segment) ? asked[at] !== "" : asked[at] === segment;
    return byLength.get(asked.length)?.find(({ segments }) => segments.every(fits))?.entry;
  };
}

/** Letters that need no code mean the same with one (RFC 3986 6.2.2.2): /%61bout is /about. */
const decodeUnreserved = (path: string) =>
  path.replaceAll(/%(?:2d|2e|3\d|4[1-9a-f]|5[0-9af]|6[1-9a-f]|7[0-9ae])/gi, decodeURIComponent);

/** Decoded, in small letters; slashes at the end do not count. */
function splitPath(path: string): string[] {
  const segments = path.replace(/\/+$/, "").split("/").slice(1);
  return segments.map((segment) => decodeURIComponent(segment).toLowerCase());
}
