/** The longest question the box takes; the rest is cut, not refused. */
export const maxQueryLength = 200;

/** Control characters, and the marks that would turn the direction of our own text around them. */
const unprintable = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu;

/** The words asked for, as they are shown back and counted: one space between them. */
export function normalizeQuery(typed: string | null): string {
  const words = (typed ?? "").replaceAll(unprintable, " ").replaceAll(/\s+/g, " ").trim();
  // The cut may fall into the middle of a character, and half a character is not the same on both
  // sides of the wire.
  return words.slice(0, maxQueryLength).toWellFormed().trim();
}

/** What is counted: the same question in capitals is the same question. */
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

/** What a result is, and what many of them are. */
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

/** More results of a kind are neither ranked nor counted. */
export const maxCounted = 1_000;
export const pageSize = 20;

export const formatCount = (count: number) =>
  count > maxCounted ? `${maxCounted.toLocaleString("en-US")}+` : count.toLocaleString("en-US");

/** What a reader wants to know. Anything that cannot be is as good as not asked. */
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

/** A piece of a text, and whether it is what was looked for. */
export type TextPart = { text: string; isHit: boolean };

export type Result = {
  id: string;
  kind: Kind;
  link: string;
  title: TextPart[];
  snippet: TextPart[];
  /** Whose, where, or of what sort. */
  detail: string;
  time: { iso: string; shown: string } | null;
  isSample: boolean;
};

/**
 * How the results answer what was asked: all its words, the nearest spelling of them, more than
 * half of them, or at least one.
 */
export type Match =
  | { kind: "all" }
  | { kind: "respelled"; query: string }
  | { kind: "most" }
  | { kind: "some" }
  | { kind: "none" }
  /** No page has all of them, and each of them is in nearly every text. */
  | { kind: "too-common" };

export type ResultPage = {
  match: Match;
  /** Of each kind that there is, the most useful kinds first. */
  counts: { kind: Kind; count: number }[];
  /** Of all kinds. */
  total: number;
  /** The kind that is shown; null for all of them. */
  kind: Kind | null;
  /** The page that is shown, and how many there are. */
  page: number;
  pages: number;
  results: Result[];
};

export const searchPath = "/search";
export const suggestPath = "/search/suggest";
/** Fewer letters say too little. */
export const minSuggestLetters = 2;

export type Suggestion = { title: string; link: string; kind: string; isSample: boolean };
