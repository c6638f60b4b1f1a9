/** The maximum length of a query. Longer ones are cut, not refused. */
export const maxQueryLength = 200;

/** Control characters, and marks that would reverse the direction of the text around them. */
const unprintable = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu;

/** The query as it is shown and counted: trimmed, with single spaces between words. */
export function normalizeQuery(typed: string | null): string {
  const words = (typed ?? "").replaceAll(unprintable, " ").replaceAll(/\s+/g, " ").trim();
  // The cut may split a character into surrogates, and a lone surrogate would differ between server
  // and browser.
  return words.slice(0, maxQueryLength).toWellFormed().trim();
}

/** The key under which a query is cached and counted. Case does not matter. */
export const queryKey = (query: string) => query.normalize("NFC").toLowerCase();

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

/** The names of the kinds, for one result and for several. */
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

/** What a reader searches for. Invalid parameters are ignored. */
export type SearchRequest = { query: string; kind: Kind | null; page: number };

export function parseSearchRequest(params: URLSearchParams): SearchRequest {
  const page = Number(params.get("page"));
  return {
    query: normalizeQuery(params.get("q")),
    kind: kinds.find((kind) => kind === params.get("kind")) ?? null,
    page: Number.isInteger(page) && page > 1 ? page : 1,
  };
}

export function searchHref({ query, kind, page }: SearchRequest): string {
  const params = new URLSearchParams({ q: query });
  if (kind) params.set("kind", kind);
  if (page > 1) params.set("page", String(page));
  return `/search?${params}`;
}

/** A part of a text, and whether it matches the query. */
export type TextPart = { text: string; isHit: boolean };

export type Result = {
  id: string;
  kind: Kind;
  link: string;
  title: TextPart[];
  snippet: TextPart[];
  /** The author, place, source or category. */
  detail: string;
  time: { iso: string; shown: string } | null;
  isSample: boolean;
};

/**
 * How the results match the query: by all its words, by the nearest spelling, by more than half of
 * the words, or by at least one.
 */
export type Match =
  | { kind: "all" }
  | { kind: "respelled"; query: string }
  | { kind: "most" }
  | { kind: "some" }
  | { kind: "none" }
  /** No page has all of the words, and each of them is in nearly every text. */
  | { kind: "too-common" };

export type ResultPage = {
  match: Match;
  /** The number of results of each kind that has any, the most useful kinds first. */
  counts: { kind: Kind; count: number }[];
  /** The number of results of all kinds. */
  total: number;
  /** The kind that is shown; null for all kinds. */
  kind: Kind | null;
  /** The number of the page that is shown, and the number of pages. */
  page: number;
  pages: number;
  results: Result[];
};

export const searchPath = "/search";
export const suggestPath = "/search/suggest";
/** With fewer letters, suggestions would be arbitrary. */
export const minSuggestLetters = 2;

export type Suggestion = { title: string; link: string; kind: string; isSample: boolean };
