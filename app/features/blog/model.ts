import { longDate } from "../../lib/dates.ts";

/**
 * How long the server waits for posts before it sends the page without them. The browser then
 * fetches them.
 */
export const contentTimeoutMs = 1_500;

/** The fields of a post in the list. The backend's contract defines their names. */
export type BlogItem = {
  id: string;
  slug: string;
  metaTitle: string;
  metaDescription: string;
  pinterestImageLink?: string;
  /** The path of the same image on our own server, so that no other server is contacted. */
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
  /** The text as the author wrote it. */
  blog: string;
  shortTailKeywords: string | null;
  longTailKeywords: string | null;
  youtubeShortsUrl: string | null;
  /** The fields from here on are not in the contract: our own server adds them. */
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

/** Reads the `page` parameter. Everything that is not a page number means the first page. */
export function pageNumber(parameter: string | null): number {
  return parameter !== null && /^[1-9]\d{0,5}$/.test(parameter) ? Number(parameter) : 1;
}

export const listPath = (page: number) => (page === 1 ? "/blog" : `/blog?page=${page}`);

/**
 * Five pages around the current one, plus the first and the last page, with a gap where pages are
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

/** The domain under which a host's posts are stored: lowercase, no port, no leading www. */
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
 * The date in long US format; null if the text is not a date. A calendar day is the same day
 * everywhere; an instant is shown in the given time zone.
 */
export function formatPostDate(date: string, timeZone: string): string | null {
  if (Number.isNaN(Date.parse(date))) return null;
  return longDate(date, calendarDay.test(date) ? "UTC" : timeZone);
}

export const isCalendarDay = (date: string) => calendarDay.test(date);

/** An http or https URL; null for everything else, such as javascript: or data:. */
export function safeUrl(text: unknown): string | null {
  if (typeof text !== "string") return null;
  const url = URL.parse(text.trim());
  return url && /^https?:$/.test(url.protocol) ? text.trim() : null;
}
