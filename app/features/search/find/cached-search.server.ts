import { createBoundedQueue, createResultCache } from "../../../lib/http/result-cache.server.ts";
import { createConcurrencyLimit, createRateLimit } from "../../../lib/http/visitors.server.ts";
import { queryKey, type ResultPage, type SearchRequest, type Suggestion } from "../model.ts";
import { type SearchScope, search, suggest } from "./find.server.ts";

/** Each search keeps the database busy, and pages need the database too. */
const queue = createBoundedQueue({ maxConcurrent: 2, maxWaiting: 34 });
/** With this limit per visitor, it takes six visitors who search constantly to fill the queue. */
const visitorSlots = createConcurrencyLimit(6);
/**
 * Cached results do not count. The limit is high because a whole newsroom or school may share one
 * IP address.
 */
const rate = createRateLimit({ burst: 300, perSecond: 5 });

export const cacheMs = 30_000;
const resultCache = createResultCache<ResultPage>({
  cacheMs,
  maxEntries: 300,
  maxBytes: 6 * 1024 * 1024,
});
const suggestionCache = createResultCache<Suggestion[]>({
  cacheMs,
  maxEntries: 1_000,
  maxBytes: 2 * 1024 * 1024,
});

/** After how many seconds a refused visitor may try again. */
export const retryAfterSeconds = 5;

/**
 * Whether a search of this visitor would be accepted now. Checked before the page is rendered, so
 * that a refusal is cheap.
 */
export const hasCapacityFor = (ipAddress: string): boolean =>
  !queue.isFull() && visitorSlots.hasRoom(ipAddress) && rate.hasRoom(ipAddress);

/** Null if the search was refused. */
type ResultOrRefusal<T> = Promise<T | null>;

async function runQueued<T>(ipAddress: string, work: () => Promise<T>): ResultOrRefusal<T> {
  const release = visitorSlots.take(ipAddress);
  if (!release) return null;
  try {
    return (await queue.run(work))?.value ?? null;
  } finally {
    release();
  }
}

export const cachedSearch = (
  scope: SearchScope,
  request: SearchRequest,
  ipAddress: string,
): ResultOrRefusal<ResultPage> =>
  resultCache.get(`${request.kind} ${request.page} ${queryKey(request.query)}`, async () =>
    rate.take(ipAddress) > 0 ? null : runQueued(ipAddress, () => search(scope, request)),
  );

/** The HTTP server limits the rate of suggestions per visitor before this is called. */
export const cachedSuggestions = (
  scope: SearchScope,
  query: string,
  ipAddress: string,
): ResultOrRefusal<Suggestion[]> =>
  suggestionCache.get(queryKey(query), () => runQueued(ipAddress, () => suggest(scope, query)));

const listeners = new Set<() => void>();

/** Registers a function that is called whenever the cache is cleared. */
export const onCacheCleared = (listener: () => void): void => {
  listeners.add(listener);
};

/** Clears all cached results, because the searchable content has changed. */
export function clearSearchCache(): void {
  resultCache.clear();
  suggestionCache.clear();
  for (const listener of listeners) listener();
}
