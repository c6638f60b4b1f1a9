import { toTypographic } from "../../../lib/text/typography/typography.ts";
import type { PageScope, Services } from "../../../platform/services.ts";
import type { Correction } from "../../../site-files/article-fields.server.ts";
import type { Photo } from "../../../site-files/site-fields.server.ts";
import type { ContractHead, ContractPost } from "../contract.ts";

export type Post = ContractPost & {
  slug: string;
  image: Photo | null;
  /** Whether the post is a site file. The text of any other post may be hostile. */
  isFile: boolean;
};

/** A post in a file or in our own database. */
export type OwnPost = Post & {
  /** When readers can first see the post. Lists are sorted by it. */
  publishAt: Date;
  isDraft: boolean;
  /** Whether an editor took the post down. Then it is a draft, whatever its file says. */
  isDown: boolean;
  /** Only posts in files have one. */
  category: string | null;
  /** The version of the row, if its text is not in memory: then `blog` is empty. */
  unreadVersion?: string;
};

export const isPublished = (
  { isDraft, publishAt }: Pick<OwnPost, "isDraft" | "publishAt">,
  now: Date,
): boolean => !isDraft && publishAt <= now;

/** Returns the post with the texts that readers see. Its body becomes typographic as HTML. */
export const typesetPost = <T extends Pick<Post, "metaTitle" | "metaDescription">>(post: T): T => ({
  ...post,
  metaTitle: toTypographic(post.metaTitle),
  metaDescription: toTypographic(post.metaDescription),
});

/** A correction from the desk. Files are typeset when they are read. */
export const typesetCorrection = ({ date, text }: Correction): Correction => ({
  date,
  text: toTypographic(text),
});

export type PostHead = ContractHead & {
  image: Photo | null;
  /** Unknown for posts of an external backend. */
  publishAt?: Date;
};

/** Where posts come from: our own database and files, or an external backend. */
export type PostSource = {
  list(domain: string, page: number): Promise<{ heads: PostHead[]; total: number }>;
  find(slug: string): Promise<Post | null>;
  /** The posts around which a post is read: all of ours, newest first, or the newest. */
  recent(domain: string): Promise<PostHead[]>;
};

/** `tags` and `expireAt` are those of the page that shows the posts. */
export type PostServices = Pick<Services, "site" | "db" | "clock" | "blogBackend"> &
  Partial<PageScope>;
