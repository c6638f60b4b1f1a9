import pLimit from "p-limit";
import {
  createConcurrencyLimit,
  createRateLimit,
  type Limit,
  type RateLimit,
} from "../../../lib/http/limits.server.ts";
import { createResultCache } from "../../../lib/http/result-cache.server.ts";
import { type FeedRequest, type SearchRequest, type Suggestion, toQueryKey } from "../model.ts";
import { findNewest, type ResultPage, type SearchScope, search, suggest } from "./find.server.ts";

export const cacheMs = 30_000;
/** Few searches run at a time, and the others wait, because pages need the database too. */
const maxRunning = 2;

/**
 * The limit is high, because everyone in a newsroom or school may share one IP address. A search
 * takes about 45 ms of processor time, so all visitors together can use half of a processor. If
 * they all search too much together, the status is 429 and not 503, because nothing is broken.
 */
export const searchLimit = {
  what: "searches",
  rate: { burst: 300, perSecond: 5, totalFactor: 2 },
  concurrent: { visitor: 6, all: 36 },
  also: {
    all: `${maxRunning} run at a time, suggestions too; results are cached for ${cacheMs / 1_000} seconds`,
  },
  messages: {
    visitor: "There are too many searches at the moment. Please search again in a few seconds.",
  },
} satisfies Limit;

/** Readers get several suggestions while they type. */
export const suggestionLimit = {
  what: "search suggestions",
  rate: { burst: 100, perSecond: 10, totalFactor: 5 },
  also: { visitor: "at a time together with searches" },
  messages: searchLimit.messages,
} satisfies Limit;

const queue = pLimit(maxRunning);
const slots = createConcurrencyLimit(searchLimit.concurrent);
const rateLimit = createRateLimit(searchLimit.rate);
const suggestionRateLimit = createRateLimit(suggestionLimit.rate);

const createCache = <T extends NonNullable<unknown>>(maxEntries: number, megabytes: number) =>
  createResultCache<T>({ cacheMs, maxEntries, maxBytes: megabytes * 1024 * 1024 });
const resultCache = createCache<ResultPage>(300, 6);
const suggestionCache = createCache<Suggestion[]>(1_000, 2);

export const retryAfterSeconds = 5;

/**
 * Whether a search by this visitor would be accepted now. The server checks this before it renders
 * the page, so that a refusal is cheap.
 */
export const hasCapacityFor = (ipAddress: string): boolean =>
  slots.hasRoom(ipAddress) && rateLimit.hasRoom(ipAddress);

/** Runs a search when its turn comes. Returns null if a limit was reached. */
async function runQueued<T>(ipAddress: string, limit: RateLimit, work: () => Promise<T>) {
  const release = slots.takeSlot(ipAddress);
  if (!release) return null;
  try {
    return limit.countRequest(ipAddress) > 0 ? null : await queue(work);
  } finally {
    release();
  }
}

export const searchWithCache = (scope: SearchScope, request: SearchRequest, ipAddress: string) =>
  resultCache.get(`${request.kind} ${request.page} ${toQueryKey(request.query)}`, () =>
    runQueued(ipAddress, rateLimit, () => search(scope, request)),
  );

/** Not cached: a feed reader asks for the same feed every quarter of an hour, or less often. */
export const findNewestInTurn = (scope: SearchScope, request: FeedRequest, ipAddress: string) =>
  runQueued(ipAddress, rateLimit, () => findNewest(scope, request));

export const suggestWithCache = (scope: SearchScope, query: string, ipAddress: string) =>
  suggestionCache.get(toQueryKey(query), () =>
    runQueued(ipAddress, suggestionRateLimit, () => suggest(scope, query)),
  );

const listeners = new Set<() => void>();

export const onCacheCleared = (listener: () => void): void => {
  listeners.add(listener);
};

export function clearSearchCache(): void {
  resultCache.clear();
  suggestionCache.clear();
  for (const listener of listeners) listener();
}
