import { and, desc, eq, lte } from "drizzle-orm";
import { brandFile } from "../brand/files.server.ts";
import { filePost } from "./file-posts.server.ts";
import { blogFolder } from "./files.server.ts";
import { blogPosts } from "./schema.server.ts";
import { type BlogServices, ownDomain } from "./source.server.ts";

const mostKept = 5_000;

/** Every post of ours that is out, newest first. None while the blog is read from elsewhere, which tells no dates. */
export async function keptPosts({ site, db, clock, blogBackend }: BlogServices) {
  if (blogBackend) return [];
  const domain = ownDomain(site);
  const now = clock();
  const files = site
    .readAll(blogFolder)
    .map((record) => filePost(record, domain, site.read(brandFile).timeZone))
    .filter(({ publishAt }) => publishAt <= now);
  const rows = await db
    .select({ slug: blogPosts.slug, metaTitle: blogPosts.metaTitle, publishAt: blogPosts.publishAt })
    .from(blogPosts)
    .where(and(eq(blogPosts.domain, domain), eq(blogPosts.state, "published"), lte(blogPosts.publishAt, now)))
    .orderBy(desc(blogPosts.publishAt))
    .limit(mostKept);
  const bySlug = new Map([...rows, ...files].map((post) => [post.slug, post]));
  return [...bySlug.values()]
    .toSorted((one, other) => other.publishAt.getTime() - one.publishAt.getTime())
    .map(({ slug, metaTitle, publishAt }) => ({ title: metaTitle, link: `/blog/${slug}`, at: publishAt }));
}
