import type { IncomingMessage, ServerResponse } from "node:http";
import { editionParam } from "../../app/edition/edition.ts";
import { matchesEtag } from "../../app/lib/http/if-none-match.server.ts";
import { errorFields, type Log, toLoggedPath } from "../../app/lib/log.ts";
import {
  allEncodings,
  type CachedResponse,
  chooseEncoding,
  type Encoding,
  encodeResponse,
  type Variant,
} from "../http/encoding.ts";
import { saveDataHeader } from "../http/headers.ts";
import type { RequestInfo } from "../http/http.ts";
import { type MatchedRoute, notPublic, type OwnRequest } from "../http/request-env.ts";
import type { CacheState } from "../http/request-times.ts";
import type { Banner } from "./banner.ts";
import {
  canBeKey,
  type PageCache,
  type RenderResult,
  splitTarget,
  toMissingKey,
  toPageKey,
} from "./page-cache.ts";
import { notFoundPattern } from "./route-table.ts";

/** Passes a request of the server itself to the app. */
export type HandleOwn = (
  request: Request,
  from: { id: string; route: MatchedRoute | null; own: OwnRequest },
) => Response | Promise<Response>;

type Options = {
  cache: PageCache;
  banner: Banner;
  log: Log;
  /**
   * Finds the route of a page or file, also one that is never cached. Null for paths that handlers
   * without a route serve.
   */
  findRoute(path: string): MatchedRoute | null;
  handleOwn: HandleOwn;
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
 * Serves pages, and files such as feeds, that are the same for every reader, before React Router
 * sees the request.
 */
export function servePages({
  cache,
  banner,
  log,
  findRoute,
  handleOwn,
  admitPage,
  isCaching,
}: Options) {
  return (
    request: IncomingMessage,
    response: ServerResponse,
    { id, ipAddress, isSecure }: RequestInfo,
  ): CacheState | undefined => {
    const target = request.url ?? "";
    const saveData = request.headers[saveDataHeader]?.toString();
    // Most requests are for a key that is cached, so the routes need not be consulted.
    const isKey = saveData === undefined && canBeKey(target) && cache.has(target);
    const route = isKey ? null : findRoute(splitTarget(target)[0]);
    const key = isKey ? target : route && toPageKey(target, route, saveData);
    if (key === null) return undefined;
    const encoding = chooseEncoding(request.headers["accept-encoding"] ?? "");
    const encodings = isCaching ? allEncodings : [...new Set(["identity" as const, encoding])];
    const render = () =>
      renderForAll(key, route ?? findRoute(splitTarget(key)[0]), id, encodings, {
        cache,
        handleOwn,
      });
    const cached = isCaching ? cache.findOrRefresh(key, render) : null;
    const send = ({ status }: CachedResponse, variant: Variant) => {
      const isUnchanged =
        status === 200 && matchesEtag(request.headers["if-none-match"], variant.etag);
      const headers = isSecure ? variant.headers.secure : variant.headers.plain;
      // Node copies the headers at once, so the next request may overwrite the request id.
      headers[headers.length - 1] = id;
      response.writeHead(isUnchanged ? 304 : status, headers);
      response.end(isUnchanged || request.method === "HEAD" ? undefined : variant.body);
    };
    const onFailed = (error: unknown) => {
      log.error("page.not_sent", { id, path: toLoggedPath(key), ...errorFields(error) });
      response.destroy();
    };
    if (cached) {
      const variant = banner.addTo(cached, key, encoding);
      if ("body" in variant) send(cached, variant);
      else variant.then((encoded) => send(cached, encoded)).catch(onFailed);
      return "hit";
    }
    // The handler of all other requests refuses the visitor.
    if (!admitPage(ipAddress)) return undefined;
    const rendering = isCaching ? cache.renderAndStore(key, render) : render();
    rendering
      .then(async ({ response: rendered }) => {
        send(rendered, await banner.addTo(rendered, key, encoding));
      })
      .catch(onFailed);
    return route?.pattern === notFoundPattern ? "none" : "miss";
  };
}

/**
 * Renders the response of a cache key for all readers. The request is created from the key alone,
 * and contains nothing of a reader's request, so that no reader can poison what others see.
 */
async function renderForAll(
  key: string,
  route: MatchedRoute | null,
  id: string,
  encodings: readonly Encoding[],
  { cache, handleOwn }: Pick<Options, "cache" | "handleOwn">,
): Promise<RenderResult> {
  const url = new URL(key, "http://localhost");
  const request = new Request(url);
  // Without this header, a key with the edition "full" would get the ordinary page.
  if (url.searchParams.has(editionParam)) request.headers.set(saveDataHeader, "on");
  const toKeyOfMissing = (status: number) => route && toMissingKey(key, route, status);
  const missingPages = new Map<number, CachedResponse>();
  let cacheRules = notPublic;
  const own: OwnRequest = {
    hasMissingPage(status) {
      // Found here, because a purge could drop the page before the response arrives.
      const page = cache.findFresh(toKeyOfMissing(status) ?? "");
      if (page) missingPages.set(status, page);
      return page !== null;
    },
    setCacheRules(rules) {
      cacheRules = rules;
    },
  };
  const response = await handleOwn(request, { id, route, own });
  const { status, headers } = response;
  const { isPublic, ...rules } = cacheRules;
  const missingPage = missingPages.get(status);
  if (missingPage) return { ...rules, response: missingPage, storeAs: null };
  const body = Buffer.from(await response.arrayBuffer());
  const encoded = await encodeResponse(status, headers, body, encodings);
  return { ...rules, response: encoded, storeAs: isPublic ? key : toKeyOfMissing(status) };
}
