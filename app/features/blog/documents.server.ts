import { and, desc, eq, inArray, lte, sql } from "drizzle-orm";
import type { DocumentSource, SearchDocument } from "../../platform/search-document.ts";
import { ownDomain } from "./backend/source.server.ts";
import { blogFolder } from "./files.server.ts";
import { postPath } from "./paths.ts";
import { type DatedPost, isPublished, listFilePosts } from "./posts/file-posts.server.ts";
import { toPost } from "./posts/posts.server.ts";
import { blogPosts } from "./schema.server.ts";

const batchSize = 50;
const maxPosts = 5_000;
const toId = (slug: string) => `blog:${slug}`;
const toSlug = (id: string) => id.slice(toId("").length);

const toDocument = (post: Omit<DatedPost, "isDraft" | "isDown" | "category">): SearchDocument => ({
  id: toId(post.slug),
  kind: "blog",
  link: postPath(post.slug),
  title: post.metaTitle,
  summary: post.metaDescription,
  source: { format: "markdown", text: post.blog },
  keywords: [post.shortTailKeywords, post.longTailKeywords].filter(Boolean).join(", "),
  at: post.publishAt,
});

/** Our published posts for search. Posts of an external backend are not searched. */
export const postDocuments: DocumentSource = {
  async list(services) {
    if (services.blogBackend) return [];
    const now = services.clock();
    const files = await listFilePosts(services);
    return files.filter((post) => isPublished(post, now)).map(toDocument);
  },
  stored: {
    batchSize,
    /** xmin changes with every update of a row, so search reads only changed rows. */
    async versions({ site, db, clock, blogBackend }) {
      if (blogBackend) return [];
      const { slug, domain, state, publishAt } = blogPosts;
      const rows = await db
        .select({ slug, version: sql<string>`xmin::text` })
        .from(blogPosts)
        .where(and(eq(domain, ownDomain(site)), eq(state, "published"), lte(publishAt, clock())))
        .orderBy(desc(publishAt))
        .limit(maxPosts);
      // A row with the slug of a file is never shown, not even if the file is a draft.
      const fileSlugs = new Set(site.readAll(blogFolder).map(({ id }) => id));
      return rows
        .filter(({ slug }) => !fileSlugs.has(slug))
        .map(({ slug, version }) => ({ id: toId(slug), version: `typeset ${version}` }));
    },
    async read({ db }, ids) {
      const isWanted = inArray(blogPosts.slug, ids.map(toSlug));
      const rows = await db.select().from(blogPosts).where(isWanted);
      return rows.map((row) => toDocument(toPost(row)));
    },
  },
};
