import { and, desc, eq, inArray, lte, sql } from "drizzle-orm";
import type { Database } from "../../../../db/database.ts";
import { cacheTags } from "../../../platform/tags.ts";
import { siteSettingsFile } from "../../brand/files.server.ts";
import { type BlogServices, ownDomain } from "../backend/source.server.ts";
import { blogFolder } from "../files.server.ts";
import { blogPosts } from "../schema.server.ts";
import { type DatedPost, toFilePost } from "./file-posts.server.ts";

const maxPosts = 5_000;

/**
 * All our published posts, newest first. Empty if the blog comes from an external backend, because
 * its list has no dates.
 */
export async function publishedPosts(services: BlogServices) {
  services.tags?.add(cacheTags.blog);
  if (services.blogBackend) return [];
  const rows = await services.db
    .select({
      slug: blogPosts.slug,
      metaTitle: blogPosts.metaTitle,
      publishAt: blogPosts.publishAt,
    })
    .from(blogPosts)
    .where(publishedCondition(services))
    .orderBy(desc(blogPosts.publishAt))
    .limit(maxPosts);
  const bySlug = new Map([...rows, ...publishedFiles(services)].map((post) => [post.slug, post]));
  return [...bySlug.values()]
    .toSorted((one, other) => other.publishAt.getTime() - one.publishAt.getTime())
    .map(({ slug, metaTitle, publishAt }) => ({
      title: metaTitle,
      link: `/blog/${slug}`,
      at: publishAt,
    }));
}

/** The fields of a post that search indexes. */
export type SearchablePost = Pick<DatedPost, (typeof searchedFields)[number]>;
const searchedFields = [
  ...(["slug", "metaTitle", "metaDescription", "blog", "publishAt"] as const),
  ...(["shortTailKeywords", "longTailKeywords"] as const),
];

/**
 * Our published posts for search: the full text of files, and the version of each row. The version
 * is xmin, which Postgres changes with every update, so that search reads only changed rows.
 */
export async function listSearchablePosts(
  services: BlogServices,
): Promise<{ files: SearchablePost[]; rows: { slug: string; version: string }[] }> {
  if (services.blogBackend) return { files: [], rows: [] };
  const files = publishedFiles(services);
  const fileSlugs = new Set(files.map(({ slug }) => slug));
  const rows = await services.db
    .select({ slug: blogPosts.slug, version: sql<string>`xmin::text` })
    .from(blogPosts)
    .where(publishedCondition(services))
    .orderBy(desc(blogPosts.publishAt))
    .limit(maxPosts);
  return { files, rows: rows.filter(({ slug }) => !fileSlugs.has(slug)) };
}

export function readSearchablePosts(db: Database, slugs: string[]): Promise<SearchablePost[]> {
  const { slug, metaTitle, metaDescription, blog, publishAt } = blogPosts;
  const { shortTailKeywords, longTailKeywords } = blogPosts;
  return db
    .select({
      slug,
      metaTitle,
      metaDescription,
      blog,
      publishAt,
      shortTailKeywords,
      longTailKeywords,
    })
    .from(blogPosts)
    .where(inArray(slug, slugs));
}

export function publishedFiles({ site, clock }: BlogServices): DatedPost[] {
  const now = clock();
  return site
    .readAll(blogFolder)
    .map((record) => toFilePost(record, ownDomain(site), site.read(siteSettingsFile).timeZone))
    .filter(({ publishAt }) => publishAt <= now);
}

const publishedCondition = ({ site, clock }: BlogServices) =>
  and(
    eq(blogPosts.domain, ownDomain(site)),
    eq(blogPosts.state, "published"),
    lte(blogPosts.publishAt, clock()),
  );
