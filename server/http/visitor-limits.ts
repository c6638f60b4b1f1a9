import type { MiddlewareHandler } from "hono";
import { searchPath, suggestPath } from "../../app/features/search/feature.server.ts";
import {
  createConcurrencyLimit,
  createRateLimit,
  type RateLimit,
} from "../../app/lib/http/visitors.server.ts";
import { pagePath } from "../../app/lib/links/page-path.ts";
import { backButtonHint } from "./forms/form-posts.ts";
import { noStore } from "./headers.ts";
import type { Scope } from "./scope.ts";

/**
 * Rate limits per visitor for requests that are never served from a cache. Many readers can share
 * one IP address (an office, a school, a mobile network), so these limits are far above what one
 * person does; they only stop one client from using up what all others need.
 */
const rateLimits = {
  forms: createRateLimit({ burst: 60, perSecond: 1 }),
  suggestions: createRateLimit({ burst: 100, perSecond: 10, totalFactor: 5 }),
  functions: createRateLimit({ burst: 200, perSecond: 20 }),
  readiness: createRateLimit({ burst: 60, perSecond: 5 }),
  /** Pages that are rendered for one reader and never cached, such as a page with a form. */
  uncachedPages: createRateLimit({ burst: 200, perSecond: 10 }),
};

type Limit = { rate: RateLimit; message: string; isJson?: boolean };

const tooManyRequests = "Too many requests from your internet connection.";
const formLimit: Limit = {
  rate: rateLimits.forms,
  message: `${tooManyRequests} Please wait a minute and send your form again.`,
};
const limitsByPath: [path: string, limit: Limit][] = [
  [suggestPath, { rate: rateLimits.suggestions, message: tooManyRequests, isJson: true }],
  [
    "/functions/",
    {
      rate: rateLimits.functions,
      message: `${tooManyRequests} Try again in a moment.`,
      isJson: true,
    },
  ],
  [
    "/readyz",
    { rate: rateLimits.readiness, message: `${tooManyRequests} One request per second is enough.` },
  ],
];

const findLimit = (requestPath: string) =>
  limitsByPath.find(([path]) =>
    path.endsWith("/") ? requestPath.startsWith(path) : requestPath.replace(/\/+$/, "") === path,
  )?.[1];

/**
 * Limits how many pages are rendered for one visitor at the same time. A browser requests a few; a
 * program could request thousands.
 */
const rendersPerVisitor = createConcurrencyLimit(50);

/**
 * How many pages are rendered for all visitors at the same time. Each render holds its data in
 * memory. A page that many readers request is rendered only once, so only a flood of different URLs
 * reaches this limit.
 */
const maxConcurrentRenders = 300;

/** Counts the pages that are being rendered. */
export function createRenderSlots(maxRenders = maxConcurrentRenders) {
  let count = 0;
  return {
    /** Returns a function that frees the slot again, or null if too many pages are being rendered. */
    take(): (() => void) | null {
      if (count >= maxRenders) return null;
      count += 1;
      return () => {
        count -= 1;
      };
    },
  };
}

/** This is an error of ours, because the limits of rates are meant to prevent it. */
export const busyResponse = () =>
  new Response("The site is very busy. Please try again in a moment.\n", {
    status: 503,
    headers: {
      "Content-Type": "text/plain; charset=utf-8",
      "Retry-After": "5",
      "Cache-Control": noStore,
    },
  });

/** Refuses a page if too many pages are being rendered, for its visitor or for all visitors. */
export function limitConcurrentRenders(
  slots: ReturnType<typeof createRenderSlots>,
): MiddlewareHandler<Scope> {
  return async (c, next) => {
    const { ipAddress, url } = c.env;
    // Searches and the paths in the table above have separate limits. HEAD and the search page
    // without a query are not searches.
    const path = pagePath(decodeURIComponent(url.pathname)).toLowerCase();
    const isSearch =
      path === searchPath && c.req.method !== "HEAD" && url.searchParams.get("q") !== null;
    const isCounted = ipAddress !== "" && c.req.method !== "POST" && !findLimit(path) && !isSearch;
    const waitSeconds = isCounted ? rateLimits.uncachedPages.take(ipAddress) : 0;
    if (waitSeconds > 0)
      return c.text(`${tooManyRequests} Please try again in a moment.\n`, 429, {
        "Retry-After": String(waitSeconds),
        "Cache-Control": noStore,
      });
    // The server's own requests have no visitor.
    const release = ipAddress === "" ? () => {} : rendersPerVisitor.take(ipAddress);
    if (!release)
      return c.text(`${tooManyRequests} Please try again in a moment.\n`, 429, {
        "Retry-After": "5",
        "Cache-Control": noStore,
      });
    // Forms have a separate limit for all visitors, and spend their time waiting for the sender.
    const freeSlot = c.req.method === "POST" ? () => {} : slots.take();
    try {
      return freeSlot ? await next() : busyResponse();
    } finally {
      freeSlot?.();
      release();
    }
  };
}

/** Refuses a visitor who sends too many requests, before any work is done. */
export const limitVisitors: MiddlewareHandler<Scope> = async (c, next) => {
  const { ipAddress, url } = c.env;
  const limit =
    c.req.method === "POST"
      ? formLimit
      : findLimit(pagePath(decodeURIComponent(url.pathname)).toLowerCase());
  // A page that is rendered for all readers has no visitor.
  const waitSeconds = limit && ipAddress !== "" ? limit.rate.take(ipAddress) : 0;
  if (!limit || waitSeconds === 0) return next();
  const headers = { "Retry-After": String(waitSeconds), "Cache-Control": noStore };
  if (limit.isJson) return c.json({ error: limit.message }, 429, headers);
  const hint = limit === formLimit ? backButtonHint(url.pathname) : "";
  return c.text(`${limit.message}${hint}\n`, 429, headers);
};
