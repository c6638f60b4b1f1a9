/** A post as the newsroom wrote it. */
export type Post = {
  id: string;
  slug: string;
  domain: string;
  metaTitle: string;
  metaDescription: string;
  date: string;
  pinterestImageLink: string | null;
  blog: string;
  shortTailKeywords: string | null;
  longTailKeywords: string | null;
  youtubeShortsUrl: string | null;
};

/** What a list knows of a post. */
export type PostHead = Pick<
  Post,
  "id" | "slug" | "metaTitle" | "metaDescription" | "pinterestImageLink"
>;

/**
 * Where posts come from: our own database and files, or a backend elsewhere that has the same two
 * functions.
 */
export type BlogSource = {
  list(domain: string, page: number): Promise<{ heads: PostHead[]; total: number }>;
  details(slug: string): Promise<Post | null>;
  /** The newest posts, from which an article chooses its related posts. */
  recent(domain: string): Promise<PostHead[]>;
  /** When the next post appears by itself; null when none is waiting. */
  nextPublishDate(domain: string): Promise<Date | null>;
};
