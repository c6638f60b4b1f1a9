import type { Photo } from "../../../site-files/site-fields.server.ts";

/** A post as the newsroom wrote it. */
export type Post = PostNotes & {
  id: string;
  slug: string;
  domain: string;
  metaTitle: string;
  metaDescription: string;
  date: string;
  pinterestImageLink: string | null;
  /** The text of the post, in Markdown. */
  blog: string;
  shortTailKeywords: string | null;
  longTailKeywords: string | null;
  youtubeShortsUrl: string | null;
  /** Whether the post is a site file. The text of any other post may be hostile. */
  isFile: boolean;
};

/** The fields that posts share with stories. Only posts that are files have all of them. */
export type PostNotes = {
  author: string[];
  /** When the text last changed in a way that readers should know about. */
  updated: string | null;
  corrections: { date: string; text: string }[];
  image: Photo | null;
};

/** What a post without these fields has. */
export const noNotes: PostNotes = { author: [], updated: null, corrections: [], image: null };

/** The fields of a post that a list contains. */
export type PostHead = Pick<
  Post,
  "id" | "slug" | "metaTitle" | "metaDescription" | "pinterestImageLink" | "image"
> & {
  /** Unknown for posts of an external backend. */
  publishAt?: Date;
};

/**
 * Where posts come from: our own database and files, or an external backend with the functions
 * get_metainfo and get_details.
 */
export type BlogSource = {
  list(domain: string, page: number): Promise<{ heads: PostHead[]; total: number }>;
  details(slug: string): Promise<Post | null>;
  /** The newest posts, from which an article chooses its related posts. */
  recent(domain: string): Promise<PostHead[]>;
  /** When a post is next published, updated or corrected; null if nothing is scheduled. */
  nextPublishDate(domain: string): Promise<Date | null>;
};
