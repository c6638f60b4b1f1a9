import type { Context, MiddlewareHandler } from "hono";
import { chooseEdition } from "../../app/edition/edition.ts";
import {
  countSearch,
  hasCapacityFor,
  matchHeader,
  onCacheCleared,
  parseSearchRequest,
  retryAfterSeconds,
  cacheMs as searchCacheMs,
  searchLimit,
  toSearchPath,
} from "../../app/features/search/feature.server.ts";
import { createResultCache } from "../../app/lib/http/result-cache.server.ts";
import type { Tally } from "../../app/platform/services.ts";
import {
  type CachedResponse,
  chooseEncoding,
  countBytes,
  encodeResponse,
  listHeaders,
} from "../http/encoding.ts";
import { noStore, saveDataHeader } from "../http/headers.ts";
import type { RequestEnv } from "../http/request-env.ts";
import type { Banner } from "./banner.ts";

const searchPages = createResultCache<CachedResponse>(
  { cacheMs: searchCacheMs, maxEntries: 200, maxBytes: 8 * 1024 * 1024 },
  { sizeOf: countBytes },
);
onCacheCleared(searchPages.clear);

/**
 * Caches pages of search results. Rendering a page takes longer than finding its results, so the
 * page is cached as long as the results are. Every search is counted, including those served from
 * the cache.
 */
export const cacheSearchPages =
  (tally: Tally, banner: Banner): MiddlewareHandler<RequestEnv> =>
  async (c, next) => {
    const search = parseSearchRequest(c.env.url.searchParams);
    // Hono also routes HEAD here, and its response has no body that could be cached.
    if (search.query === "" || c.req.method === "HEAD") return next();
    const encoding = chooseEncoding(c.req.header("accept-encoding") ?? "");
    const path = toSearchPath(search);
    const edition = chooseEdition(c.env.url.searchParams, c.req.header(saveDataHeader));
    let isRendered = false;
    const page = await searchPages.get(`${edition} ${banner.version()} ${path}`, async () => {
      isRendered = true;
      if (!hasCapacityFor(c.env.ipAddress)) {
        c.res = c.text(`${searchLimit.messages.visitor}\n`, 429, {
          "Retry-After": String(retryAfterSeconds),
          "Cache-Control": noStore,
        });
        return null;
      }
      shareRequest(c, path.slice(path.indexOf("?")));
      await next();
      if (c.res.status !== 200) return null;
      return encodeResponse(200, c.res.headers, Buffer.from(await c.res.arrayBuffer()));
    });
    // A refusal applies only to the reader who got it. Other readers who waited for the same search
    // run it themselves.
    if (page === null) return isRendered ? undefined : next();
    const variant = page.variants[encoding];
    if (variant)
      c.res = new Response(new Uint8Array(variant.body), { headers: listHeaders(variant) });
    const isFullMatch = c.res.headers.get(matchHeader) === "all";
    if (!isRendered) countSearch(tally, c.req.header("referer"), search, isFullMatch);
    return undefined;
  };

/**
 * Makes the request one that renders a page for many readers: with only these parameters, and
 * without Accept-Encoding, because the cached page is compressed here.
 */
function shareRequest(c: Context<RequestEnv>, search: string): void {
  const url = new URL(c.req.raw.url);
  url.search = search;
  c.req.raw = new Request(url, c.req.raw);
  c.req.raw.headers.delete("accept-encoding");
}
