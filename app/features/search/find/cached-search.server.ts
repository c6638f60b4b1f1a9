import { createBoundedQueue, createResultCache } from "../../../lib/http/result-cache.server.ts";
import { createConcurrencyLimit, createRateLimit } from "../../../lib/http/visitors.server.ts";
import { queryKey, type ResultPage, type SearchRequest, type Suggestion } from "../model.ts";
import { type SearchScope, search, suggest } from "./find.server.ts";

/** Each search keeps the database busy, which pages need as well. */
const queue = createBoundedQueue({ maxConcurrent: 2, maxWaiting: 34 });
/** It takes six visitors who do nothing but search to fill the queue. */
const visitorSlots = createConcurrencyLimit(6);
/** Answers from memory do not count. A whole newsroom or school may search from one address. */
const rate = createRateLimit({ burst: 300, perSecond: 5 });

export const cacheMs = 30_000;
const resultCache = createResultCache<ResultPage>({
  cacheMs: cacheMs,
  maxEntries: 300,
  maxBytes: 6 * 1024 * 1024,
});
const suggestionCache = createResultCache<Suggestion[]>({
  cacheMs: cacheMs,
  maxEntries: 1_000,
  maxBytes: 2 * 1024 * 1024,
});

/** When somebody who was turned away may ask again. */
export const retryAfterSeconds = 5;

/**
 * Whether this visitor's search would run or wait now. Asked before a page is rendered, so that a
 * refusal costs little.
 */
export const hasCapacityFor = (address: string): boolean =>
  !queue.isFull() && visitorSlots.hasRoom(address) && rate.hasRoom(address);

/** Null when the queue is full. */
type ResultOrRefusal<T> = Promise<T | null>;

async function runQueued<T>(address: string, work: () => Promise<T>): ResultOrRefusal<T> {
  const release = visitorSlots.take(address);
  if (!release) return null;
  try {
    return (await queue.run(work))?.value ?? null;
  } finally {
    release();
  }
}

export const cachedSearch = (
  scope: SearchScope,
  question: SearchRequest,
  address: string,
): ResultOrRefusal<ResultPage> =>
  resultCache.get(`${question.kind} ${question.page} ${queryKey(question.query)}`, async () =>
    rate.take(address) > 0 ? null : runQueued(address, () => search(scope, question)),
  );

/** How often one visitor asks for suggestions is limited before they get here. */
export const cachedSuggestions = (
  scope: SearchScope,
  query: string,
  address: string,
): ResultOrRefusal<Suggestion[]> =>
  suggestionCache.get(queryKey(query), () => runQueued(address, () => suggest(scope, query)));

const listeners = new Set<() => void>();

/** Calls a function whenever what can be found has changed. */
export const onCacheCleared = (listener: () => void): void => {
  listeners.add(listener);
};

/** What can be found has changed. */
export function clearSearchCache(): void {
  resultCache.clear();
  suggestionCache.clear();
  for (const forget of listeners) forget();
}
