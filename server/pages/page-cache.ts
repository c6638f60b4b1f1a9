import { LRUCache } from "lru-cache";
import { chooseEdition, type Edition, editionParam } from "../../app/edition/edition.ts";
import { createInFlight } from "../../app/lib/http/in-flight.server.ts";
import { isMissing } from "../../app/lib/http/missing-status.ts";
import { gauge, type MetricGroup } from "../../app/lib/metrics.ts";
import { everyTag } from "../../db/purge.ts";
import { type CachedResponse, countBytes } from "../http/encoding.ts";
import type { CacheRules, LeafRoute } from "../http/request-env.ts";

/** After this time a page is rendered again; until that is done, readers get the stale page. */
export const pageFreshMs = 60_000;
/**
 * How long a page may be shown if it cannot be rendered again, for example while the database is
 * unavailable.
 */
export const maxStaleMs = 24 * 60 * 60 * 1000;

/**
 * Returns the Cache-Control header of a page whose content stays correct for this long. The page
 * cache stores it with the page, so a cache in front of the server may keep the page up to a minute
 * longer. Browsers always ask: with stale-while-revalidate they would show an ended alert, or the
 * text before a correction, to a reader who comes back.
 */
export function pageCacheControl(validSeconds: number): string {
  const fresh = Math.max(0, Math.min(pageFreshMs / 1000, validSeconds));
  return `public, max-age=0, s-maxage=${fresh}, stale-if-error=${maxStaleMs / 1000}`;
}

export type RenderResult = Omit<CacheRules, "isPublic"> & {
  response: CachedResponse;
  /**
   * The key under which the response is stored: that of the request, or one that many paths share.
   * Null if it is not stored.
   */
  storeAs: string | null;
};

type Render = (key: string) => Promise<RenderResult>;

type Entry = {
  response: CachedResponse;
  tags: ReadonlySet<string>;
  freshUntil: number;
  expiresAt: number;
};

type PageCacheOptions = {
  maxBytes: number;
  /** How long a page is served without rendering it again. */
  maxFreshMs: number;
  /**
   * How long after its render a page may be served at all. Once it is stale, it is rendered again
   * in the background.
   */
  maxStaleMs: number;
  now(): number;
  onError(error: unknown): void;
};

/** How long the cache waits before it retries a render that failed. */
const retryMs = 5_000;

/**
 * The share of the cache that pages with parameters may use. The values of parameters have far more
 * combinations than readers ever open, so a program that requests all of them evicts only pages
 * with parameters.
 */
const maxParamPagesShare = 1 / 4;

export type PageCache = ReturnType<typeof createPageCache>;

/**
 * Caches rendered pages, and files such as feeds, in memory. A reader waits for a render only if
 * the page or file is not in the cache.
 */
export function createPageCache({
  maxBytes,
  maxFreshMs,
  maxStaleMs,
  now,
  onError,
}: PageCacheOptions) {
  const createStore = (maxSize: number) =>
    new LRUCache<string, Entry>({
      maxSize,
      sizeCalculation: ({ response }, key) => key.length + countBytes(response),
    });
  const pagesWithParams = createStore(maxBytes * maxParamPagesShare);
  const otherPages = createStore(maxBytes * (1 - maxParamPagesShare));
  const stores = [pagesWithParams, otherPages];
  const storeOf = (key: string) => (hasDeclaredParams(key) ? pagesWithParams : otherPages);
  const inFlight = createInFlight<RenderResult>();
  const purgedAt = new Map<string, number>();
  let runningRenders = 0;
  /**
   * A counter that orders renders and purges. `purgedAt` and `clearedAt` contain its values, not
   * times.
   */
  let sequence = 0;
  let clearedAt = 0;

  function clear(): void {
    sequence += 1;
    clearedAt = sequence;
    for (const each of stores) each.clear();
    inFlight.detach();
  }

  function store(key: string, { response, tags, expiresAt, freshMs }: RenderResult): void {
    const time = now();
    storeOf(key).set(key, {
      response,
      tags,
      freshUntil: time + Math.min(freshMs, maxFreshMs),
      expiresAt: Math.min(time + maxStaleMs, expiresAt),
    });
  }

  /** Whether a tag of the page was purged since its render started. */
  const isOutdated = (tags: ReadonlySet<string>, startedAt: number) =>
    clearedAt > startedAt || [...tags].some((tag) => (purgedAt.get(tag) ?? 0) > startedAt);

  /**
   * Renders a response and stores it, unless its data has changed since. Concurrent calls for the
   * same key share one render.
   */
  const renderAndStore = (key: string, render: Render): Promise<RenderResult> =>
    inFlight.share(key, async () => {
      sequence += 1;
      runningRenders += 1;
      const startedAt = sequence;
      try {
        const rendered = await render(key);
        if (rendered.storeAs !== null && !isOutdated(rendered.tags, startedAt))
          store(rendered.storeAs, rendered);
        return rendered;
      } finally {
        runningRenders -= 1;
        if (runningRenders === 0) purgedAt.clear();
      }
    });

  function refreshInBackground(key: string, entry: Entry, render: Render): void {
    renderAndStore(key, render).then(
      ({ response, storeAs }) => {
        if (storeAs === key || storeOf(key).peek(key) !== entry) return;
        // After a server error the stale page stays. Any other response that is not stored for this
        // key means that the page is gone.
        if (response.status >= 500) entry.freshUntil = now() + retryMs;
        else storeOf(key).delete(key);
      },
      (error) => {
        entry.freshUntil = now() + retryMs;
        onError(error);
      },
    );
  }

  return {
    has: (key: string) => storeOf(key).has(key),

    /**
     * Returns the response if it is cached and has not expired. A stale one is returned too, and
     * rendered again in the background.
     */
    findOrRefresh(key: string, render: Render): CachedResponse | null {
      const entry = storeOf(key).get(key);
      if (!entry) return null;
      const time = now();
      if (time >= entry.expiresAt) {
        storeOf(key).delete(key);
        return null;
      }
      if (time >= entry.freshUntil && !inFlight.has(key)) refreshInBackground(key, entry, render);
      return entry.response;
    },

    findFresh(key: string): CachedResponse | null {
      const entry = storeOf(key).get(key);
      return entry && now() < Math.min(entry.freshUntil, entry.expiresAt) ? entry.response : null;
    },

    renderAndStore,

    purge(tags: readonly string[]): void {
      if (tags.includes(everyTag)) {
        clear();
        return;
      }
      sequence += 1;
      const purged = new Set(tags);
      for (const tag of purged) purgedAt.set(tag, sequence);
      for (const each of stores)
        for (const [key, entry] of [...each.entries()])
          if (!purged.isDisjointFrom(entry.tags)) each.delete(key);
      // Later requests must not share a render that started before the change.
      inFlight.detach();
    },

    /**
     * Marks all pages as stale, because purges may have been missed. The next request for each page
     * still gets the old page, and triggers a render.
     */
    markStale(): void {
      for (const each of stores) for (const entry of each.values()) entry.freshUntil = 0;
    },

    clear,

    size: () => ({
      pages: pagesWithParams.size + otherPages.size,
      bytes: pagesWithParams.calculatedSize + otherPages.calculatedSize,
    }),
  };
}

export const cacheMetrics = (cache: PageCache): MetricGroup => ({
  name: "page cache",
  read: () => [
    gauge("harborline_page_cache_bytes", "Memory that the page cache uses.", cache.size().bytes),
  ],
});

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
