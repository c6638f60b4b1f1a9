import { isRecord } from "../../lib/is-record.ts";
import { truncateAtWord } from "../../lib/text/truncate-at-word.ts";

// This is the contract of the backend functions get_metainfo and get_details. Our server reads the
// responses of an external backend with it, and the browser reads those of our server.

export type ContractHead = {
  id: string;
  slug: string;
  metaTitle: string;
  metaDescription: string;
  pinterestImageLink: string | null;
};

export type ContractPost = Omit<ContractHead, "slug"> & {
  date: string;
  domain: string;
  blog: string;
  shortTailKeywords: string | null;
  longTailKeywords: string | null;
  youtubeShortsUrl: string | null;
  /** Only Harborline sites send these: the authors, and the dates as the newsroom wrote them. */
  author: string[];
  updated: string | null;
  corrections: { date: string; text: string }[];
};

export const maxSlugLength = 200;

/**
 * Whether a post with this slug can have a page: our server must accept the slug in a path. A path
 * that ends with .data is not a page, because browsers load a page's data from it.
 */
export const isUsableSlug = (slug: string): boolean =>
  slug !== "" &&
  slug.length <= maxSlugLength &&
  slug.isWellFormed() &&
  !/\p{Cc}|\\|^\/|\/\/|(?:^|\/)\.{1,2}(?:\/|$)|\.data$/u.test(slug);

/** Returns an http or https URL; null for everything else, such as javascript: or data:. */
export function safeUrl(value: unknown): string | null {
  if (typeof value !== "string") return null;
  const url = URL.parse(value.trim());
  return url && /^https?:$/.test(url.protocol) ? value.trim() : null;
}

/**
 * There is no response, or it does not match the contract. The error has no message, so the page
 * shows its default message.
 */
export class UnusableResponse extends Error {}

/** The limits for our own posts: see postFields and articleFields. */
const maxTitleLength = 300;
const maxDescriptionLength = 1_000;
const maxNameLength = 100;
/** Several times the number of posts on a page of the list. */
const maxEntries = 100;
const maxTotal = 1_000_000;

/** Text as backends send it: a string, a number, null or missing. */
const toText = (value: unknown) =>
  typeof value === "string" || typeof value === "number" ? String(value) : "";
const toTextOrNull = (value: unknown) => (toText(value).trim() === "" ? null : toText(value));
const toList = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** Long titles would be repeated many times in each page. */
function toShortText(value: unknown, maxLength: number): string {
  const text = toText(value);
  if (text.length <= maxLength) return text;
  const line = text.slice(0, maxLength * 2).replaceAll(/\s+/g, " ");
  return truncateAtWord(line.trim(), maxLength);
}

const parseHead = (fields: Record<string, unknown>) => ({
  id: toText(fields.id),
  metaTitle: toShortText(fields.metaTitle, maxTitleLength),
  metaDescription: toShortText(fields.metaDescription, maxDescriptionLength),
  pinterestImageLink: safeUrl(fields.pinterestImageLink),
});

/** Parses the response of get_metainfo. An entry that cannot have a page is left out. */
export function parseList<Item>(
  body: unknown,
  toItem: (item: ContractHead, entry: object) => Item,
): { items: Item[]; total: number } {
  if (!isRecord(body) || !Array.isArray(body.blogs)) throw new UnusableResponse();
  const items = body.blogs.slice(0, maxEntries).flatMap((entry: unknown) => {
    const slug = isRecord(entry) ? toText(entry.slug) : "";
    return isRecord(entry) && isUsableSlug(slug)
      ? [toItem({ ...parseHead(entry), slug }, entry)]
      : [];
  });
  return {
    items,
    total: Math.min(Math.max(0, Math.floor(Number(body.total ?? items.length)) || 0), maxTotal),
  };
}

/** Parses the response of get_details, which is null if no post has the slug. */
export function parsePost(body: unknown): ContractPost | null {
  if (body === null) return null;
  if (!isRecord(body) || toText(body.metaTitle) === "") throw new UnusableResponse();
  return {
    ...parseHead(body),
    date: toText(body.date),
    domain: toText(body.domain),
    blog: toText(body.blog),
    shortTailKeywords: toTextOrNull(body.shortTailKeywords),
    longTailKeywords: toTextOrNull(body.longTailKeywords),
    youtubeShortsUrl: toTextOrNull(body.youtubeShortsUrl),
    author: toList(body.author)
      .slice(0, 10)
      .map((name) => toShortText(name, maxNameLength))
      .filter(Boolean),
    updated: toTextOrNull(body.updated),
    corrections: toList(body.corrections)
      .slice(0, 50)
      .filter(isRecord)
      .map(({ date, text }) => ({
        date: toText(date),
        text: toShortText(text, maxDescriptionLength),
      }))
      .filter(({ date, text }) => date !== "" && text !== ""),
  };
}
