import { longDate } from "../../lib/dates.ts";

/**
 * How long a page waits for its posts before it is sent without them; the browser then asks for
 * them itself.
 */
export const contentTimeoutMs = 1_500;

/** What the list shows of a post. The names are those of the backend's contract. */
export type BlogItem = {
  id: string;
  slug: string;
  metaTitle: string;
  metaDescription: string;
  pinterestImageLink?: string;
  /** The same picture at an address of our own, so that nobody else is contacted. */
  picture?: string;
};

export type BlogList = { blogs: BlogItem[]; total: number };

export type BlogDetails = {
  slug: string;
  metaTitle: string;
  metaDescription: string;
  date: string;
  domain: string;
  pinterestImageLink: string | null;
  /** The text as it was written. */
  blog: string;
  shortTailKeywords: string | null;
  longTailKeywords: string | null;
  youtubeShortsUrl: string | null;
  /** Beyond the contract: what our own server makes of it. */
  html: string | null;
  picture: string | null;
  dateText: string | null;
  readingMinutes: number | null;
  related: BlogItem[];
};

export const pageSize = 10;
export const skeletonCount = 6;
const buttonCount = 5;

export const pageCount = (total: number) => Math.ceil(total / pageSize);

/** The page that an address asks for: what is not a page number stands for the first. */
export function pageNumber(asked: string | null): number {
  return asked !== null && /^[1-9]\d{0,5}$/.test(asked) ? Number(asked) : 1;
}

export const listPath = (page: number) => (page === 1 ? "/blog" : `/blog?page=${page}`);

/**
 * Five pages around the current one, the first and the last beside them, and a gap where pages are
 * left out.
 */
export function pageButtons(current: number, pages: number): (number | "gap")[] {
  const first = Math.max(
    1,
    Math.min(current - Math.floor(buttonCount / 2), pages - buttonCount + 1),
  );
  const last = Math.min(pages, first + buttonCount - 1);
  return [
    ...(first > 1 ? [1] : []),
    ...(first > 2 ? (["gap"] as const) : []),
    ...Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index),
    ...(last < pages - 1 ? (["gap"] as const) : []),
    ...(last < pages ? [pages] : []),
  ];
}

/** A host as posts are filed under it: small letters, no port, no leading www. */
export function domainOf(host: string): string {
  return host
    .trim()
    .toLowerCase()
    .replace(/:\d*$/, "")
    .replace(/^www\./, "");
}

export const slugPattern = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
export const maxSlugLength = 200;

const calendarDay = /^\d{4}-\d{2}-\d{2}$/;

/**
 * The date in long US format; null for what is no date. A day is that day everywhere, an instant is
 * shown at home.
 */
export function formatPostDate(date: string, timeZone: string): string | null {
  if (Number.isNaN(Date.parse(date))) return null;
  return longDate(date, calendarDay.test(date) ? "UTC" : timeZone);
}

export const isCalendarDay = (date: string) => calendarDay.test(date);

/**
 * A web address that a link may lead to; null for every other kind, such as javascript: or data:.
 */
export function safeUrl(text: unknown): string | null {
  if (typeof text !== "string") return null;
  const url = URL.parse(text.trim());
  return url && /^https?:$/.test(url.protocol) ? text.trim() : null;
}
