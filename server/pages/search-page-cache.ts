import type { MiddlewareHandler } from "hono";
import { chooseEdition } from "../../app/edition/edition.ts";
import {
  cacheMs,
  countSearch,
  hasCapacityFor,
  matchHeader,
  onCacheCleared,
  parseSearchRequest,
  retryAfterSeconds,
  toSearchPath,
} from "../../app/features/search/feature.server.ts";
import { createResultCache } from "../../app/lib/http/result-cache.server.ts";
import type { Tally } from "../../app/platform/services.ts";
import { noStore } from "../http/freshness.ts";
import { saveDataHeader } from "../http/headers.ts";
import type { Scope } from "../http/scope.ts";
import {
  type CachedResponse,
  countBytes,
  encodeResponse,
  toResponse,
  toSharedRequest,
} from "./cached-response.ts";

type CachedSearchPage = CachedResponse & { isFullMatch: boolean };

const pages = createResultCache<CachedSearchPage>(
  { cacheMs, maxEntries: 200, maxBytes: 8 * 1024 * 1024 },
  { sizeOf: countBytes },
);

const busyMessage =
  "There are too many searches at the moment. Please search again in a few seconds.\n";

onCacheCleared(pages.clear);

/**
 * Caches pages of search results. Rendering a page takes longer than finding its results, so the
 * page is cached as long as the results are. Every search is counted, including those served from
 * the cache.
 */
export const cacheSearchPages =
  (tally: Tally): MiddlewareHandler<Scope> =>
  async (c, next) => {
    const search = parseSearchRequest(c.env.url.searchParams);
    // Hono also routes HEAD here, and its response has no body that could be cached.
    if (search.query === "" || c.req.method === "HEAD") return next();
    const encoding = c.req.header("accept-encoding") ?? "";
    const path = toSearchPath(search);
    const edition = chooseEdition(c.env.url.searchParams, c.req.header(saveDataHeader));
    let isRendered = false;
    const page = await pages.get(`${edition} ${path}`, async () => {
      isRendered = true;
      if (!hasCapacityFor(c.env.ipAddress)) {
        c.res = c.text(busyMessage, 429, {
          "Retry-After": String(retryAfterSeconds),
          "Cache-Control": noStore,
        });
        return null;
      }
      c.req.raw = toSharedRequest(c.req.raw, path.slice(path.indexOf("?")));
      await next();
      const isFullMatch = c.res.headers.get(matchHeader) === "all";
      return c.res.status === 200 ? { ...(await encodeResponse(c.res)), isFullMatch } : null;
    });
    // A refusal applies only to the reader who got it. Other readers who waited for the same search
    // run it themselves.
    if (page === null) return isRendered ? undefined : next();
    if (!isRendered) countSearch(tally, c.req.header("referer"), search, page.isFullMatch);
    c.res = toResponse(page, encoding);
    return undefined;
  };
