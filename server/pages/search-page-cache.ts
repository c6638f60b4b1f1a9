import type { MiddlewareHandler } from "hono";
import type { AppContext } from "../../app/context.ts";
import {
  cacheMs,
  countSearch,
  hasCapacityFor,
  matchHeader,
  onCacheCleared,
  parseSearchRequest,
  retryAfterSeconds,
  searchHref,
} from "../../app/features/search/feature.server.ts";
import { createResultCache } from "../../app/lib/http/result-cache.server.ts";
import { noStore } from "../http/freshness.ts";
import type { Scope } from "../http/visitor-limits.ts";
import { type CachedResponse, cachedBytes, encodeResponse, toResponse } from "./cached-response.ts";

type CachedSearchPage = CachedResponse & { isAnswered: boolean };

const pages = createResultCache<CachedSearchPage>(
  { cacheMs: cacheMs, maxEntries: 200, maxBytes: 8 * 1024 * 1024 },
  { sizeOf: cachedBytes },
);

const busy =
  "Too many searches are being answered at this moment. Please search again in a few seconds.\n";

onCacheCleared(pages.forget);

/**
 * A page of search results takes longer to render than its answer takes to find, so it is kept as
 * long as the answer. Every search is counted, also one that is answered from memory.
 */
export const cacheSearchPages =
  (tally: AppContext["tally"]): MiddlewareHandler<Scope> =>
  async (c, next) => {
    const question = parseSearchRequest(c.env.url.searchParams);
    // Hono sends HEAD here as well, and its answer has no body that others could get.
    if (question.query === "" || c.req.method === "HEAD") return next();
    const encoding = c.req.header("accept-encoding") ?? "";
    let isRendered = false;
    const page = await pages.get(searchHref(question), async () => {
      isRendered = true;
      if (!hasCapacityFor(c.env.ipAddress)) {
        c.res = c.text(busy, 503, {
          "Retry-After": String(retryAfterSeconds),
          "Cache-Control": noStore,
        });
        return null;
      }
      // What is kept is compressed here.
      c.req.raw.headers.delete("accept-encoding");
      await next();
      const isAnswered = c.res.headers.get(matchHeader) === "all";
      return c.res.status === 200 ? { ...(await encodeResponse(c.res)), isAnswered } : null;
    });
    // A refusal is for the one who asked; others who asked the same meanwhile try for themselves.
    if (page === null) return isRendered ? undefined : next();
    if (!isRendered) countSearch(tally, c.req.header("referer"), question, page.isAnswered);
    c.res = toResponse(page, encoding);
    return undefined;
  };
