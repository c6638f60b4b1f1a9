/** A post as the newsroom wrote it. */
export type Post = {
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
};

/** The fields of a post that a list contains. */
export type PostHead = Pick<
  Post,
  "id" | "slug" | "metaTitle" | "metaDescription" | "pinterestImageLink"
>;

/**
 * Where posts come from: our own database and files, or an external backend with the functions
 * get_metainfo and get_details.
 */
export type BlogSource = {
  list(domain: string, page: number): Promise<{ heads: PostHead[]; total: number }>;
  details(slug: string): Promise<Post | null>;
  /** The newest posts, from which an article chooses its related posts. */
  recent(domain: string): Promise<PostHead[]>;
  /** When the next scheduled post is published; null if none is scheduled. */
  nextPublishDate(domain: string): Promise<Date | null>;
};
