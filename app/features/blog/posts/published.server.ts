import { and, desc, eq, inArray, lte, sql } from "drizzle-orm";
import type { Database } from "../../../../db/database.ts";
import type { PageServices } from "../../../platform/services.ts";
import { cacheTags } from "../../../platform/tags.ts";
import { nextPublishDate } from "../backend/load.server.ts";
import { type BlogServices, ownDomain, ownPosts } from "../backend/source.server.ts";
import { slugPattern } from "../model.ts";
import { listPath, postPath } from "../paths.ts";
import { blogPosts } from "../schema.server.ts";
import { type DatedPost, isPublished, listFilePosts } from "./file-posts.server.ts";
import { typesetPost } from "./post.ts";
import { readPublished } from "./posts.server.ts";

const maxPosts = 5_000;

/**
 * All our published posts, newest first. The page that shows them expires when the next post is
 * due. Empty in a city without a blog, and if the blog comes from an external backend, because its
 * list has no dates.
 */
export async function publishedPosts(services: PageServices) {
  services.tags.add(cacheTags.blog);
  if (services.blogBackend || !services.site.has(listPath(1))) return [];
  const changesAt = await nextPublishDate(services);
  if (changesAt) services.expireAt(changesAt);
  const posts = await readPublished(ownPosts(services), ownDomain(services.site));
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
  const { files, fileSlugs } = await readFilePosts(services);
  const rows = await services.db
    .select({ slug, version: sql<string>`xmin::text` })
    .from(blogPosts)
    .where(publishedCondition(services))
    .orderBy(desc(publishAt))
    .limit(maxPosts);
  return { files, rows: rows.filter(({ slug }) => !fileSlugs.has(slug)) };
}

export const readSearchablePosts = async (
  db: Database,
  slugs: string[],
): Promise<SearchablePost[]> => {
  const rows = await db.select(searchedColumns).from(blogPosts).where(inArray(slug, slugs));
  return rows.map(typesetPost);
};

/**
 * The published posts from files, and the slugs of all posts from files. A row with the slug of a
 * file is never shown, not even if the file is a draft.
 */
export async function readFilePosts(services: BlogServices): Promise<{
  files: DatedPost[];
  fileSlugs: ReadonlySet<string>;
}> {
  const now = services.clock();
  const all = await listFilePosts(services);
  return {
    files: all.filter((post) => isPublished(post, now)),
    fileSlugs: new Set(all.map(({ slug }) => slug)),
  };
}

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

const publishedCondition = ({ site, clock }: BlogServices) =>
  and(
    eq(blogPosts.domain, ownDomain(site)),
    eq(blogPosts.state, "published"),
    lte(publishAt, clock()),
  );
