import { matchRoutes, type RouteObject, type ServerBuild } from "react-router";
import { z } from "zod";
import { pagePath } from "../app/lib/page-path.ts";

/** What a route says of its page, as `export const handle = { page: … }`. */
const pagePolicy = z.strictObject({
  /** "none": never kept anywhere, because the page records or answers something of this one reader. */
  cache: z.enum(["public", "none"]),
});
const routeHandle = z.strictObject({ page: pagePolicy }).default({ page: { cache: "public" } });
export type PagePolicy = z.output<typeof pagePolicy>;

type Entry = { page: PagePolicy; isPage: boolean };

/** The routes as the server needs them before React Router runs; read once, when the server starts. */
export function readRouteTable(routes: ServerBuild["routes"]) {
  const tree = childrenOf(routes, undefined);
  const fixed = new Map(fixedPaths(tree, "").map((path) => [path.toLowerCase(), path]));

  const entryAt = (path: string): Entry | undefined => {
    const matches = matchRoutes(tree, path);
    return matches?.at(-1)?.route.handle;
  };

  return {
    policyOf: (path: string): PagePolicy =>
      entryAt(pagePath(path))?.page ?? routeHandle.parse(undefined).page,

    /** Where the page of a slightly wrong address really is; null when the address is right or not a page's. */
    canonicalPath(path: string): string | null {
      const withoutSlash = path.length > 1 ? path.replace(/\/$/, "") : path;
      const page = fixed.get(withoutSlash.toLowerCase());
      if (page !== undefined) return page === path ? null : page;
      if (withoutSlash === path) return null;
      const last = matchRoutes(tree, withoutSlash)?.at(-1);
      return last?.route.handle.isPage && last.route.path !== "*" ? withoutSlash : null;
    },
  };
}

function childrenOf(routes: ServerBuild["routes"], parentId: string | undefined): RouteObject[] {
  return Object.values(routes).flatMap((route): RouteObject[] => {
    if (!route || route.parentId !== parentId) return [];
    const { page } = routeHandle.parse(route.module.handle);
    const handle: Entry = { page, isPage: "default" in route.module };
    if (route.index) return [{ id: route.id, index: true, handle }];
    return [
      {
        id: route.id,
        handle,
        ...(route.path === undefined ? {} : { path: route.path }),
        children: childrenOf(routes, route.id),
      },
    ];
  });
}

/** The pages whose whole address is written in the route table. */
function fixedPaths(tree: RouteObject[], parent: string): string[] {
  return tree.flatMap((route) => {
    if (route.path && /[:*?]/.test(route.path)) return [];
    const path = route.path ? `${parent}/${route.path}` : parent;
    if (route.children?.length) return fixedPaths(route.children, path);
    return route.handle.isPage ? [path || "/"] : [];
  });
}
