import { and, desc, eq, lte, sql } from "drizzle-orm";
import type { Database } from "../../../../db/database.ts";
import { readShared, readSharedOr, type SharedRead } from "../../../../db/shared-reads.ts";
import { createMemo } from "../../../lib/memo.ts";
import { cacheTags } from "../../../platform/tags.ts";
import { pageSize, slugPattern } from "../model.ts";
import { blogPosts } from "../schema.server.ts";
import { type DatedPost, isPublished } from "./file-posts.server.ts";
import { type BlogSource, noNotes, type Post, type PostHead, typesetPost } from "./post.ts";

/** Lists show only these. With 600 bytes per post, they take about 6 MB of memory. */
const maxCachedHeads = 10_000;
/** Older and longer posts are read from the database for each page. */
const maxCachedPosts = 50;
const maxCachedLength = 100_000;

type DatedHead = PostHead & { publishAt: Date };

const { id, slug, metaTitle, metaDescription, pinterestImageLink, publishAt } = blogPosts;
const headColumns = { id, slug, metaTitle, metaDescription, pinterestImageLink, publishAt };
const isReady = eq(blogPosts.state, "published");

/** The published and scheduled posts of a domain in the database, newest first. */
export const storedHeads = (domain: string): SharedRead<DatedHead[]> => ({
  name: `posts of ${domain}`,
  tags: [cacheTags.blog],
  async load(db) {
    const rows = await db
      .select(headColumns)
      .from(blogPosts)
      .where(and(eq(blogPosts.domain, domain), isReady))
      .orderBy(desc(publishAt), desc(id))
      .limit(maxCachedHeads);
    return rows.map((row) => typesetPost({ ...row, id: String(row.id), image: null }));
  },
});

type StoredPost = typeof blogPosts.$inferSelect;
type DatedRow = Post & { publishAt: Date };

/** The newest published and scheduled posts in the database, with their texts. */
export const newestPosts: SharedRead<DatedRow[]> = {
  name: "newest posts",
  tags: [cacheTags.blog],
  async load(db) {
    const rows = await db
      .select()
      .from(blogPosts)
      .where(and(isReady, lte(sql`length(${blogPosts.blog})`, maxCachedLength)))
      .orderBy(desc(publishAt), desc(id))
      .limit(maxCachedPosts);
    return rows.map(toPost);
  },
};

const mergedHeads = createMemo<(DatedHead | DatedPost)[]>();

type OwnPosts = { db: Database; files: DatedPost[]; now: Date };

/**
 * Posts in the database and posts that are files, as one list, without drafts, newest first. Those
 * that are scheduled come first. If a file and a row have the same slug, only the file is shown.
 */
async function readAll({ db, files }: OwnPosts, domain: string) {
  const rows = await readSharedOr(db, storedHeads(domain), []);
  return mergedHeads(domain, [rows, files], () => {
    const fileSlugs = new Set(files.map((file) => file.slug));
    return [
      ...files.filter((file) => file.domain === domain && !file.isDraft),
      ...rows.filter((row) => !fileSlugs.has(row.slug)),
    ].sort(newestFirst);
  });
}

/** The same without scheduled posts. */
export async function readPublished(own: OwnPosts, domain: string) {
  const all = await readAll(own, domain);
  const first = all.findIndex((post) => post.publishAt <= own.now);
  return first < 0 ? [] : all.slice(first);
}

export function ownSource(own: OwnPosts): BlogSource {
  const { db, files, now } = own;
  return {
    async list(domain, page) {
      const posts = await readPublished(own, domain);
      const start = (page - 1) * pageSize;
      return { heads: posts.slice(start, start + pageSize), total: posts.length };
    },

    async details(requestedSlug) {
      // No other slug is stored, and the database refuses some characters.
      if (!slugPattern.test(requestedSlug)) return null;
      const file = files.find((candidate) => candidate.slug === requestedSlug);
      if (file) return isPublished(file, now) ? file : null;
      const newest = await readShared(db, newestPosts);
      const cached = newest.find((post) => post.slug === requestedSlug);
      const [post] = cached
        ? [cached]
        : (
            await db
              .select()
              .from(blogPosts)
              .where(and(eq(slug, requestedSlug), isReady))
          ).map(toPost);
      return post && post.publishAt <= now ? post : null;
    },

    recent: (domain) => readPublished(own, domain),

    async nextPublishDate(domain) {
      const scheduled = (await readAll(own, domain)).findLast((post) => post.publishAt > now);
      const changes = files
        .filter((file) => file.domain === domain && !file.isDraft)
        .flatMap((file) => file.changesAt)
        .filter((at) => at > now);
      const instants = [...(scheduled ? [scheduled.publishAt] : []), ...changes];
      return instants.sort((one, other) => one.getTime() - other.getTime())[0] ?? null;
    },
  };
}

export const toPost = ({ state: _state, createdAt: _createdAt, ...row }: StoredPost): DatedRow => ({
  ...typesetPost(row),
  ...noNotes,
  id: String(row.id),
  isFile: false,
});

type Dated = { publishAt: Date };

/** Sorts by date. Sorting is stable, so files stay before rows with the same instant. */
const newestFirst = (one: Dated, other: Dated) =>
  other.publishAt.getTime() - one.publishAt.getTime();
