import type { IncomingMessage, ServerResponse } from "node:http";
import { chooseEdition, editionParam } from "../../app/edition/edition.ts";
import { matchesEtag } from "../../app/lib/http/if-none-match.server.ts";
import { isMissing, missingStatuses } from "../../app/lib/http/missing-status.ts";
import { errorFields, type Log, toLoggedPath } from "../../app/lib/log.ts";
import { allEncodings, chooseEncoding, type Encoding, saveDataHeader } from "../http/headers.ts";
import type { RequestInfo } from "../http/http.ts";
import type { CacheRules } from "../http/request-env.ts";
import type { CacheState } from "../http/request-times.ts";
import type { Banner } from "./banner.ts";
import {
  type CachedResponse,
  encodePage,
  type PageCache,
  type RenderResult,
  type Variant,
} from "./page-cache.ts";
import { type Leaf, notFoundPattern } from "./route-table.ts";

type Options = {
  cache: PageCache;
  banner: Banner;
  log: Log;
  /** Finds the page or file at a path. Null if it is not served from the page cache. */
  findPage(path: string): Leaf | null;
  /** With one of `storedStatuses`, the response need not contain the page. */
  renderShared(
    key: string,
    id: string,
    storedStatuses: readonly number[],
  ): Promise<{ response: Response; cacheRules: CacheRules }>;
  /**
   * Counts a page that has to be rendered for a visitor, and returns whether the visitor may have
   * it. Most pages that a person opens are already in the cache, but a program that makes up URLs
   * would keep the server rendering.
   */
  admitPage(ipAddress: string): boolean;
  /** Whether pages are stored. If not, each request is rendered, to measure what that costs. */
  isCaching: boolean;
};

/**
 * Serves pages that are the same for every reader, before React Router sees the request. The render
 * gets nothing from the reader except the path and the parameters that its route declares, so that
 * no reader can poison what others see.
 */
export function servePages({
  cache,
  banner,
  log,
  findPage,
  renderShared,
  admitPage,
  isCaching,
}: Options) {
  return (
    request: IncomingMessage,
    response: ServerResponse,
    { id, ipAddress, isSecure }: RequestInfo,
  ): CacheState | null => {
    const target = request.url ?? "";
    const saveData = request.headers[saveDataHeader]?.toString();
    // The key of a page without parameters is its path, so the routes need not be consulted. A
    // reader with Save-Data, or back from the light edition, may need another page.
    const isKey = saveData === undefined && !target.includes("edition=full") && cache.has(target);
    const key = isKey ? target : toPageKey(target, findPage, saveData);
    if (key === null) return null;
    const encoding = chooseEncoding(request.headers["accept-encoding"] ?? "");
    const encodings = isCaching ? allEncodings : [...new Set(["identity" as const, encoding])];
    const render = () => renderAndEncode(key, id, encodings, { cache, findPage, renderShared });
    const page = isCaching ? cache.find(key, render) : null;
    const send = ({ status }: CachedResponse, variant: Variant) =>
      sendPage(status, variant, request, response, isSecure, id);
    const onFailed = (error: unknown) => {
      log.error("page.failed", { id, path: toLoggedPath(key), ...errorFields(error) });
      response.destroy();
    };
    if (page) {
      const variant = banner.addTo(page, key, encoding);
      if ("body" in variant) send(page, variant);
      else variant.then((encoded) => send(page, encoded)).catch(onFailed);
      return "hit";
    }
    // The handler of all other requests refuses the visitor.
    if (!admitPage(ipAddress)) return null;
    const rendering = isCaching ? cache.render(key, render) : render();
    rendering
      .then(async ({ page: rendered }) => {
        send(rendered, await banner.addTo(rendered, key, encoding));
      })
      .catch(onFailed);
    // Paths that nobody knows say nothing about how well the cache works.
    const { pattern } = findPage(target.split("?", 1)[0] ?? "") ?? {};
    return pattern === notFoundPattern ? "none" : "miss";
  };
}

/**
 * Returns the cache key: the path with the parameters that the page declares, in the order of the
 * declaration. Null if the request is not for a page that may be cached.
 */
export function toPageKey(
  target: string,
  findPage: Options["findPage"],
  saveData: string | undefined,
): string | null {
  const [path = "", query] = target.split("?", 2);
  const route = findPage(path);
  if (route?.cache !== "public") return null;
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
  // The edition is the last parameter, because the page cache recognizes it by its position.
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
 * data, which have no page.
 */
function toMissingKey(key: string, findPage: Options["findPage"], status: number): string | null {
  const [path = "", query] = key.split("?", 2);
  const route = findPage(path);
  if (!route?.isPage || path.endsWith(".data")) return null;
  return `missing ${status} ${route.pattern} ${new URLSearchParams(query).get(editionParam) ?? ""}`;
}

async function renderAndEncode(
  key: string,
  id: string,
  encodings: readonly Encoding[],
  { cache, findPage, renderShared }: Pick<Options, "cache" | "findPage" | "renderShared">,
): Promise<RenderResult> {
  const stored = new Map<number, CachedResponse>();
  for (const status of missingStatuses) {
    const page = cache.findFresh(toMissingKey(key, findPage, status) ?? "");
    if (page) stored.set(status, page);
  }
  const { response, cacheRules } = await renderShared(key, id, [...stored.keys()]);
  const { status, headers } = response;
  const { isPublic, ...rules } = cacheRules;
  const storedPage = stored.get(status);
  if (storedPage) return { ...rules, page: storedPage, storeAs: null };
  const page = await encodePage(
    status,
    headers,
    Buffer.from(await response.arrayBuffer()),
    encodings,
  );
  const missingKey = isMissing(status) ? toMissingKey(key, findPage, status) : null;
  return { ...rules, page, storeAs: isPublic ? key : missingKey };
}

function sendPage(
  status: number,
  variant: Variant,
  request: IncomingMessage,
  response: ServerResponse,
  isSecure: boolean,
  id: string,
): void {
  const isUnchanged = status === 200 && matchesEtag(request.headers["if-none-match"], variant.etag);
  const headers = isSecure ? variant.headers.secure : variant.headers.plain;
  // Node copies the headers at once, so the next request may overwrite the request id.
  headers[headers.length - 1] = id;
  response.writeHead(isUnchanged ? 304 : status, headers);
  response.end(isUnchanged || request.method === "HEAD" ? undefined : variant.body);
}
