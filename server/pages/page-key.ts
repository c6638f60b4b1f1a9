import { chooseEdition, type Edition, editionParam } from "../../app/edition/edition.ts";
import { isMissing } from "../../app/lib/http/missing-status.ts";
import type { LeafRoute } from "../http/request-env.ts";

// The keys of the page cache. A key is a path, the parameters that its page declares, and, as the
// last parameter, the edition unless it is the ordinary one.

/** Only readers with Save-Data get the full edition as such: for all others it is the ordinary one. */
export const canBeKey = (target: string): boolean => !target.includes(`${editionParam}=full`);

/** Splits a request target or a key at its first "?", because a query may contain others. */
export function splitTarget(target: string): [path: string, query: string | undefined] {
  const end = target.indexOf("?");
  return end === -1 ? [target, undefined] : [target.slice(0, end), target.slice(end + 1)];
}

/**
 * Returns the cache key: the path with the parameters that its route declares, in the order of the
 * declaration. Null if the response may not be cached.
 */
export function toPageKey(
  target: string,
  route: LeafRoute,
  saveData: string | undefined,
): string | null {
  if (route.cache !== "public") return null;
  const [path, query] = splitTarget(target);
  if (query === undefined && saveData === undefined) return path;
  const params = new URLSearchParams(query);
  // React Router requests a part of a page's data with `_routes`. On any other path it is an
  // ordinary parameter.
  if (params.has("_routes") && path.endsWith(".data")) return null;
  const declared = route.queryParams.flatMap((name) => {
    const value = params.get(name);
    // Without JavaScript, a form also sends its empty fields.
    return value ? [[name, value]] : [];
  });
  if (route.isPage && !path.endsWith(".data")) {
    const edition = chooseEdition(params, saveData);
    if (edition !== "ordinary") declared.push([editionParam, edition]);
  }
  return declared.length === 0 ? path : `${path}?${new URLSearchParams(declared)}`;
}

/**
 * The key of the page that is sent for everything that is missing at a route, such as stories that
 * do not exist. It differs between routes, because the browser loads the scripts of the route, and
 * between pages that never existed (404) and those that were taken down (410). Null for files and
 * data, which have no page, and for every other status.
 */
export function toMissingKey(key: string, route: LeafRoute, status: number): string | null {
  const [path, query] = splitTarget(key);
  if (!isMissing(status) || !route.isPage || path.endsWith(".data")) return null;
  return `missing ${status} ${route.pattern} ${new URLSearchParams(query).get(editionParam) ?? ""}`;
}

/** A page has only three editions, so a key with no parameter except the edition does not count. */
export const hasDeclaredParams = (key: string): boolean =>
  key.includes("?") && !key.includes(`?${editionParam}=`);

export function findEdition(key: string): Edition {
  if (key.endsWith(`${editionParam}=light`)) return "light";
  return key.endsWith(`${editionParam}=full`) ? "full" : "ordinary";
}
