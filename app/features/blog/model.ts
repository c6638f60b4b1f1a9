import { type ShownCorrection, type ShownDate, showDate } from "../../lib/article-dates.ts";
import { writtenInstant } from "../../lib/dates.ts";
import type { Image, Photo } from "../../site-files/site-fields.server.ts";
import type { ShareImage } from "../share-images/model.ts";

/** The fields of a post in the list. The backend's contract defines their names. */
export type BlogItem = {
  id: string;
  slug: string;
  metaTitle: string;
  metaDescription: string;
  pinterestImageLink?: string;
  /** The path of the same image on our own server, so that no other server is contacted. */
  picture?: string;
  /** The newsroom's own photo. It is shown instead of the other image. */
  image?: Image;
  /** When our own server published the post, in ISO 8601. */
  publishedAt?: string;
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
  author: string[];
  /** The dates as the newsroom wrote them, for other servers. */
  updated: string | null;
  corrections: { date: string; text: string }[];
  /** The same dates for readers. */
  dates: PostDates | null;
  image: Photo | null;
  /** An empty text has no HTML, but it is not null. */
  html: string | null;
  picture: string | null;
  dateText: string | null;
  readingMinutes: number | null;
  /** The image that other sites show with a link to the post. */
  shareImage: ShareImage | null;
  related: BlogItem[];
};

export type PostDates = {
  published: ShownDate;
  updated: ShownDate | null;
  /** The last change, for machines. */
  modified: string;
  corrections: ShownCorrection[];
};

/** Posts on the page of a section. */
export type SectionPosts = {
  posts: { title: string; path: string }[];
  /** False if no post belongs to the section, so that these are the newest of all. */
  isOfSection: boolean;
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

/** The slugs of our own posts. */
export const slugPattern = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
export const maxSlugLength = 200;

/**
 * Whether a post of an external backend can have a page: its slug can be part of a path that our
 * server accepts (server/http/guard). A path that ends with .data is not a page: browsers load a
 * page's data from it.
 */
export const isUsableSlug = (slug: string): boolean =>
  slug !== "" &&
  slug.length <= maxSlugLength &&
  slug.isWellFormed() &&
  !/\p{Cc}|\\|^\/|\/\/|(?:^|\/)\.{1,2}(?:\/|$)|\.data$/u.test(slug);

/**
 * Formats the date of a post in long US format, as a day in the given time zone; returns null if it
 * is not valid.
 */
export function formatPostDate(date: string, timeZone: string): string | null {
  const isValid = !Number.isNaN(writtenInstant(date, timeZone).getTime());
  return isValid ? showDate(date, timeZone).text : null;
}

/** Returns an http or https URL; null for everything else, such as javascript: or data:. */
export function safeUrl(value: unknown): string | null {
  if (typeof value !== "string") return null;
  const url = URL.parse(value.trim());
  return url && /^https?:$/.test(url.protocol) ? value.trim() : null;
}
