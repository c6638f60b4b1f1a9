import type { MiddlewareHandler } from "hono";
import { chooseEdition, type Edition } from "../../app/edition/edition.ts";
import { saveDataHeader } from "../http/headers.ts";
import type { Scope } from "../http/scope.ts";
import {
  type CachedResponse,
  encodeResponse,
  toResponse,
  toSharedRequest,
} from "./cached-response.ts";

/** After this time the "page not found" page shows a change to the site files. */
const cacheMs = 2_000;

type Options = {
  /** Whether no route matches the path. */
  isMissing(path: string): boolean;
  /** Counts a request that is served from the cache. A render counts its request itself. */
  count(path: string): void;
};

type CachedPage = { expiresAt: number; response: CachedResponse };

/**
 * Caches the "page not found" page. It is the same for all unknown paths, and programs that look
 * for vulnerabilities request thousands of them, so it is rendered and compressed at most once
 * every two seconds.
 */
export function cacheMissingPage({ isMissing, count }: Options): MiddlewareHandler<Scope> {
  const cached = new Map<Edition, CachedPage>();
  let rendering: Promise<void> | null = null;

  return async (c, next) => {
    const { pathname, searchParams } = c.env.url;
    const isPage =
      (c.req.method === "GET" || c.req.method === "HEAD") && !pathname.endsWith(".data");
    if (!isPage || !isMissing(pathname)) return next();
    const encoding = c.req.header("accept-encoding") ?? "";
    const edition = chooseEdition(searchParams, c.req.header(saveDataHeader));
    while (rendering) await rendering;
    const page = cached.get(edition);
    if (page && page.expiresAt > performance.now()) {
      count(pathname);
      return toResponse(page.response, encoding);
    }
    c.req.raw = toSharedRequest(c.req.raw, "");
    const { promise, resolve } = Promise.withResolvers<void>();
    rendering = promise;
    try {
      await next();
      if (c.res.status !== 404) return;
      const response = await encodeResponse(c.res);
      cached.set(edition, { expiresAt: performance.now() + cacheMs, response });
      c.res = toResponse(response, encoding);
    } finally {
      rendering = null;
      resolve();
    }
  };
}
