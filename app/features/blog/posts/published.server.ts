import { and, desc, eq, inArray, lte, sql } from "drizzle-orm";
import type { Database } from "../../../../db/database.ts";
import { type BlogServices, ownDomain, readOwnPosts } from "../backend/source.server.ts";
import { slugPattern } from "../model.ts";
import { postPath } from "../paths.ts";
import { blogPosts } from "../schema.server.ts";
import { type DatedPost, isPublished, listFilePosts } from "./file-posts.server.ts";
import { typesetPost } from "./post.ts";

const maxPosts = 5_000;

/** All our published posts, newest first, for the archive. */
export async function publishedPosts(services: BlogServices) {
  const posts = await readOwnPosts(services);
  return posts.map(({ slug, metaTitle, publishAt }) => ({
    title: metaTitle,
    link: postPath(slug),
    at: publishAt,
  }));
}

const { slug, metaTitle, metaDescription, blog, publishAt } = blogPosts;
const { shortTailKeywords, longTailKeywords } = blogPosts;
const searchedColumns = {
  slug,
  metaTitle,
  metaDescription,
  blog,
  publishAt,
  shortTailKeywords,
  longTailKeywords,
};

/** The fields of a post that search indexes. */
export type SearchablePost = Pick<DatedPost, keyof typeof searchedColumns>;

/**
 * Our published posts for search: the full text of files, and the version of each row. The version
 * is xmin, which Postgres changes with every update, so that search reads only changed rows.
 */
export async function listSearchablePosts(
  services: BlogServices,
): Promise<{ files: SearchablePost[]; rows: { slug: string; version: string }[] }> {
  if (services.blogBackend) return { files: [], rows: [] };
  const now = services.clock();
  const files = await listFilePosts(services);
  // A row with the slug of a file is never shown, not even if the file is a draft.
  const fileSlugs = new Set(files.map((file) => file.slug));
  const rows = await services.db
    .select({ slug, version: sql<string>`xmin::text` })
    .from(blogPosts)
    .where(
      and(
        eq(blogPosts.domain, ownDomain(services.site)),
        eq(blogPosts.state, "published"),
        lte(publishAt, now),
      ),
    )
    .orderBy(desc(publishAt))
    .limit(maxPosts);
  return {
    files: files.filter((post) => isPublished(post, now)),
    rows: rows.filter(({ slug }) => !fileSlugs.has(slug)),
  };
}

export const readSearchablePosts = async (
  db: Database,
  slugs: string[],
): Promise<SearchablePost[]> => {
  const rows = await db.select(searchedColumns).from(blogPosts).where(inArray(slug, slugs));
  return rows.map(typesetPost);
};

/** The status of a path without a post: 410 (gone) if an editor took the post down. */
export async function missingPostStatus(
  services: BlogServices,
  requestedSlug: string,
): Promise<404 | 410> {
  if (services.blogBackend || !slugPattern.test(requestedSlug)) return 404;
  const file = (await listFilePosts(services)).find((post) => post.slug === requestedSlug);
  if (file) return file.isDown ? 410 : 404;
  const isDown = and(eq(slug, requestedSlug), eq(blogPosts.state, "down"));
  return (await services.db.$count(blogPosts, isDown)) > 0 ? 410 : 404;
}
