import { readPageNumber, toPageParam, toQueryString } from "../../lib/links/query.ts";
import { toSafeLine } from "../../lib/text/plain-text.ts";

export const searchPath = "/search";

/** The maximum length of a query. Longer queries are cut, not refused. */
export const maxQueryLength = 200;

/** The query as it is shown: trimmed, with single spaces between words. */
export function normalizeQuery(typed: string | null): string {
  // The cut may split a character, and a lone surrogate would differ between server and browser.
  return toSafeLine(typed ?? "")
    .slice(0, maxQueryLength)
    .toWellFormed()
    .trim();
}

export const toQueryKey = (query: string) => query.normalize("NFC").toLowerCase();

export const kinds = [
  "story",
  "blog",
  "event",
  "faq",
  "page",
  "volunteer",
  "book",
  "headline",
] as const;
export type Kind = (typeof kinds)[number];

export const kindNames: Record<Kind, { one: string; many: string }> = {
  story: { one: "Story", many: "Stories" },
  blog: { one: "Blog", many: "Blog" },
  event: { one: "Event", many: "Events" },
  faq: { one: "Question", many: "Questions" },
  page: { one: "Page", many: "Pages" },
  volunteer: { one: "Community", many: "Community" },
  book: { one: "Book", many: "Books" },
  headline: { one: "Headline", many: "Headlines" },
};

/** Results of a kind beyond this number are neither ranked nor counted. */
export const maxCounted = 1_000;
export const pageSize = 20;

export const formatCount = (count: number) =>
  count > maxCounted ? `${maxCounted.toLocaleString("en-US")}+` : count.toLocaleString("en-US");

/** The query of a reader and the results to show. Invalid parameters are ignored. */
export type SearchRequest = { query: string; kind: Kind | null; page: number };

export function parseSearchRequest(params: URLSearchParams): SearchRequest {
  return {
    query: normalizeQuery(params.get("q")),
    kind: kinds.find((kind) => kind === params.get("kind")) ?? null,
    page: readPageNumber(params),
  };
}

export const toSearchPath = ({ query, kind, page }: SearchRequest): string =>
  searchPath + toQueryString({ q: query, kind, page: toPageParam(page) });

/** The kinds of results that have a date of publication, so that they can be in a feed. */
export const feedKinds = ["story", "blog", "headline"] as const;
export const maxFeedItems = 30;

export type FeedRequest = { query: string; kind: (typeof feedKinds)[number] | null };

/** Parses the query of a feed. Null if it asks for a kind of results that has no feed. */
export function parseFeedRequest(params: URLSearchParams): FeedRequest | null {
  const kind = feedKinds.find((each) => each === params.get("kind")) ?? null;
  if (params.get("kind") && kind === null) return null;
  return { query: normalizeQuery(params.get("q")), kind };
}

/**
 * The query of the feeds of a search. Null for a search without words, or for kinds without feeds.
 */
export function findFeedQuery({ query, kind }: SearchRequest): string | null {
  const feedKind = feedKinds.find((each) => each === kind) ?? null;
  return query === "" || feedKind !== kind ? null : toFeedQuery({ query, kind: feedKind });
}

export const toFeedQuery = ({ query, kind }: FeedRequest) => toQueryString({ q: query, kind });

export type TextPart = { text: string; isHit: boolean };

/**
 * How the results match the query: by all its words, by the nearest spelling, or by at least half of
 * its words.
 */
export type Match =
  | { kind: "all" }
  | { kind: "respelled"; query: string }
  | { kind: "some" }
  | { kind: "none" };

export const suggestPath = "/search/suggest";
/** With fewer letters, suggestions would be arbitrary. */
export const minSuggestLetters = 2;

export type Suggestion = { title: string; link: string; kind: string; isSample: boolean };
