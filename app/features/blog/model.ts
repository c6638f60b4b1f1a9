import { longDate } from "../../lib/dates.ts";
import type { ShareImage } from "../share-images/model.ts";

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
  /** This field and those below are not in the contract: our own server adds them. */
  html: string | null;
  picture: string | null;
  dateText: string | null;
  readingMinutes: number | null;
  /** The image that other sites show with a link to the post. */
  shareImage: ShareImage | null;
  related: BlogItem[];
};

export const pageSize = 10;
/** The number of gray placeholders while the list is loading. */
export const skeletonCount = 6;
/** The number of consecutive page numbers in the pagination. */
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
export function pageButtons(current: number, lastPage: number): (number | "gap")[] {
  const first = Math.max(
    1,
    Math.min(current - Math.floor(buttonCount / 2), lastPage - buttonCount + 1),
  );
  const last = Math.min(lastPage, first + buttonCount - 1);
  return [
    ...(first > 1 ? [1] : []),
    ...(first > 2 ? (["gap"] as const) : []),
    ...Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index),
    ...(last < lastPage - 1 ? (["gap"] as const) : []),
    ...(last < lastPage ? [lastPage] : []),
  ];
}

/** The domain of a host, as posts are stored with it: lowercase, no port, no leading www. */
export function domainOf(host: string): string {
  return host
    .trim()
    .toLowerCase()
    .replace(/:\d*$/, "")
    .replace(/^www\./, "");
}

export const slugPattern = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
export const maxSlugLength = 200;

const calendarDayPattern = /^\d{4}-\d{2}-\d{2}$/;

/**
 * Formats the date of a post in long US format; returns null if it is not valid. A calendar day is
 * the same day everywhere; an instant is shown in the given time zone.
 */
export function formatPostDate(date: string, timeZone: string): string | null {
  if (Number.isNaN(Date.parse(date))) return null;
  return longDate(date, calendarDayPattern.test(date) ? "UTC" : timeZone);
}

export const isCalendarDay = (date: string) => calendarDayPattern.test(date);

/** Returns an http or https URL; null for everything else, such as javascript: or data:. */
export function safeUrl(value: unknown): string | null {
  if (typeof value !== "string") return null;
  const url = URL.parse(value.trim());
  return url && /^https?:$/.test(url.protocol) ? value.trim() : null;
}
