import type { ArticleDates } from "../../lib/article-dates.ts";
import type { Image, Photo } from "../../site-files/site-fields.server.ts";
import type { ShareImage } from "../share-images/model.ts";
import type { ContractHead, ContractPost } from "./contract.ts";

/** A post in the list. Our own server adds the optional fields. */
export type ListedPost = Omit<ContractHead, "pinterestImageLink"> & {
  pinterestImageLink?: string | null;
  /** The path of the same image on our own server, so that no other server is contacted. */
  picture?: string;
  /** The newsroom's own photo. It is shown instead of the other image. */
  image?: Image;
  /** When our own server published the post, in ISO 8601. */
  publishedAt?: string;
};

export type PostList = { blogs: ListedPost[]; total: number };

export type FullPost = Omit<ContractPost, "id"> & OwnFields & { slug: string };

/** The fields that only our own server adds to the response of get_details. */
export type OwnFields = {
  dates: PostDates | null;
  image: Photo | null;
  /** An empty text has no HTML, but it is not null. */
  html: string | null;
  picture: string | null;
  dateText: string | null;
  readingMinutes: number | null;
  shareImage: ShareImage | null;
  related: ListedPost[];
  older: PostLink | null;
  newer: PostLink | null;
};

export type PostLink = Pick<ListedPost, "slug" | "metaTitle">;

export type PostDates = Pick<ArticleDates, "published" | "updated" | "modified" | "corrections">;

export type SectionPosts = {
  posts: { title: string; path: string }[];
  /** False if no post belongs to the section, so that `posts` are the newest of all. */
  isOfSection: boolean;
};

export const pageSize = 10;
/** The number of gray placeholders while the list is loading. */
export const skeletonCount = 6;
/** How many consecutive page numbers the pagination shows. */
const buttonCount = 5;

export const pageCount = (total: number) => Math.ceil(total / pageSize);

/** Reads the `page` parameter. Everything that is not a page number means the first page. */
export function pageNumber(parameter: string | null): number {
  return parameter !== null && /^[1-9]\d{0,5}$/.test(parameter) ? Number(parameter) : 1;
}

/**
 * Lists five pages around the current one, and the first and the last page, with a gap where pages
 * are left out.
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
