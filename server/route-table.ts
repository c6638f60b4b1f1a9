import { matchRoutes, type RouteObject, type ServerBuild } from "react-router";
import { z } from "zod";
import { pagePath } from "../app/lib/page-path.ts";

/** What a route says of its page, as `export const handle = { page: … }`. */
const pagePolicy = z.strictObject({
  /** "none": never kept anywhere, because the page records or answers something of this one reader. */
  cache: z.enum(["public", "none"]).default("public"),
  /** The query parameters that change the page. All others are as good as not there. */
  params: z.array(z.string()).default([]),
  /** Whether its form may bring files: then it reads the body itself, and bounds it. */
  files: z.boolean().optional(),
  /** How large a form sent to it may be, where that is less than usual. */
  formBytes: z.number().int().positive().optional(),
});
const routeHandle = z.strictObject({ page: pagePolicy }).prefault({ page: {} });
export type PagePolicy = z.output<typeof pagePolicy>;

type Entry = { page: PagePolicy; isPage: boolean };

/** The routes as the server needs them before React Router runs; read once, when the server starts. */
export function readRouteTable(routes: ServerBuild["routes"]) {
  const tree = childrenOf(routes, undefined);
  const fixed = new Map(fixedPages(tree, "").map((page) => [page.path.toLowerCase(), page]));

  const routeAt = (path: string): Entry | undefined => {
    const route = matchRoutes(tree, path)?.at(-1)?.route;
    return route?.path === "*" ? undefined : route?.handle;
  };

  /** Where the page of a slightly wrong address really is; null when the address is right or not a page's. */
  function canonicalPath(path: string): string | null {
    const withoutSlash = path.length > 1 ? path.replace(/\/$/, "") : path;
    const page = fixed.get(withoutSlash.toLowerCase())?.path;
    if (page !== undefined) return page === path ? null : page;
    return withoutSlash !== path && routeAt(withoutSlash)?.isPage ? withoutSlash : null;
  }

  /** What the route of an address says of its page; null where there is none, or its true address is another. */
  function pageAt(path: string): PagePolicy | null {
    const page = pagePath(path);
    const known = fixed.get(page);
    if (known) return known.policy;
    return path === page && canonicalPath(path) !== null ? null : (routeAt(page)?.page ?? null);
  }

  /** Whether no route knows the address. */
  const isMissing = (path: string) => matchRoutes(tree, path)?.at(-1)?.route.path === "*";

  return { canonicalPath, pageAt, isMissing };
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
function fixedPages(tree: RouteObject[], parent: string): { path: string; policy: PagePolicy }[] {
  return tree.flatMap((route) => {
    if (route.path && /[:*?]/.test(route.path)) return [];
    const path = route.path ? `${parent}/${route.path}` : parent;
    if (route.children?.length) return fixedPages(route.children, path);
    return route.handle.isPage ? [{ path: path || "/", policy: route.handle.page }] : [];
  });
}
