import type { MiddlewareHandler } from "hono";
import type { Scope } from "../http/visitor-limits.ts";
import { type CachedResponse, encodeResponse, toResponse } from "./cached-response.ts";

/** A change to the city's files is on the page for missing addresses after this time. */
const cacheMs = 2_000;

type Options = {
  /** Whether no route knows the path. */
  isMissing(path: string): boolean;
  /** Notes that a missing page was asked for. The render does so itself. */
  count(path: string): void;
};

type CachedPage = { until: number; answer: CachedResponse };

/**
 * Addresses that nobody knows are asked for by the thousand, by programs that look for weak spots.
 * The page that says so is the same for all of them, so it is rendered and compressed once every
 * few seconds.
 */
export function cacheMissingPage({ isMissing, count }: Options): MiddlewareHandler<Scope> {
  let cached: CachedPage | null = null;
  let rendering: Promise<void> | null = null;

  return async (c, next) => {
    const { pathname } = c.env.url;
    const isPage =
      (c.req.method === "GET" || c.req.method === "HEAD") && !pathname.endsWith(".data");
    if (!isPage || !isMissing(pathname)) return next();
    const encoding = c.req.header("accept-encoding") ?? "";
    while (rendering) await rendering;
    if (cached && cached.until > performance.now()) {
      count(pathname);
      return toResponse(cached.answer, encoding);
    }
    // The answer to HEAD has no body, so it is not kept for others.
    if (c.req.method === "HEAD") return next();
    // What is kept is compressed here.
    c.req.raw.headers.delete("accept-encoding");
    const { promise, resolve } = Promise.withResolvers<void>();
    rendering = promise;
    try {
      await next();
      if (c.res.status !== 404) return;
      const answer = await encodeResponse(c.res);
      cached = { until: performance.now() + cacheMs, answer };
      c.res = toResponse(answer, encoding);
    } finally {
      rendering = null;
      resolve();
    }
  };
}
