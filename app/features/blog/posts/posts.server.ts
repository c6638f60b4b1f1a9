import { and, desc, eq, gt, lte, min, notInArray, type SQL } from "drizzle-orm";
import { withTimeout } from "../../../lib/http/with-timeout.server.ts";
import type { Services } from "../../../platform/services.ts";
import { pageSize } from "../model.ts";
import { blogPosts } from "../schema.server.ts";
import type { DatedPost } from "./file-posts.server.ts";
import type { BlogSource, Post, PostHead } from "./post.ts";

/** The number of posts from which an article chooses its related posts. */
const recentCount = 50;

/** How long a page with posts from files waits for those in the database. */
const waitMs = 1_000;
/** A page without them is rendered again this soon. */
const retryAfterMs = 10_000;

type DatedHead = PostHead & { publishAt: Date };

const { id, slug, metaTitle, metaDescription, pinterestImageLink, publishAt } = blogPosts;
const head = { id, slug, metaTitle, metaDescription, pinterestImageLink, publishAt };

/**
 * Posts in the database and posts that are files, as one list. Files are few and in memory, so they
 * are merged into the rows of a page when it is read; nothing has to be copied, and a saved file is
 * there at once. A slug is one post's only: where a file and a row share it, the file counts.
 */
export function ownSource({
  db,
  files,
  now,
  log,
}: Pick<Services, "db" | "log"> & { files: DatedPost[]; now: Date }): BlogSource {
  /**
   * What is in the database; null while that is away, since no post from a file may wait for it.
   */
  const stored = async <T>(work: Promise<T>): Promise<T | null> =>
    (await withTimeout(log, "blog.posts", waitMs, work))?.value ?? null;
  const isPublished = ({ publishAt: from }: DatedPost) => from <= now;
  const publishedFiles = (domain: string) =>
    files.filter((file) => file.domain === domain && isPublished(file)).toSorted(newestFirst);
  const notAFile =
    files.length > 0
      ? notInArray(
          slug,
          files.map((file) => file.slug),
        )
      : undefined;
  const published = (domain: string, when: SQL | undefined) =>
    and(eq(blogPosts.domain, domain), eq(blogPosts.state, "published"), when, notAFile);

  async function readRows(domain: string, offset: number, limit: number): Promise<DatedHead[]> {
    const rows = await stored(
      db
        .select(head)
        .from(blogPosts)
        .where(published(domain, lte(publishAt, now)))
        .orderBy(desc(publishAt), desc(id))
        .limit(limit)
        .offset(offset)
        .execute(),
    );
    return (rows ?? []).map((row) => ({ ...row, id: String(row.id) }));
  }

  return {
    async list(domain, page) {
      const ours = publishedFiles(domain);
      const begin = (page - 1) * pageSize;
      // At most all files stand before a row, so a page's rows are among these; the files before
      // the first of them stand before the page.
      const from = Math.max(0, begin - ours.length);
      const rows = await readRows(domain, from, begin - from + pageSize);
      const counted = await stored(db.$count(blogPosts, published(domain, lte(publishAt, now))));
      const first = from === 0 ? undefined : rows[0];
      const after = first ? ours.filter((file) => newestFirst(first, file) < 0) : ours;
      const skipped = begin - from - (ours.length - after.length);
      const merged =
        from > 0 && !first ? [] : merge(rows, after).slice(skipped, skipped + pageSize);
      return { heads: merged.map(toHead), total: (counted ?? 0) + ours.length };
    },

    async details(asked) {
      const file = files.find((candidate) => candidate.slug === asked);
      if (file) return isPublished(file) ? file : null;
      const [row] = await db
        .select()
        .from(blogPosts)
        .where(and(eq(slug, asked), eq(blogPosts.state, "published"), lte(publishAt, now)));
      return row ? { ...row, id: String(row.id) } : null;
    },

    async recent(domain) {
      return merge(await readRows(domain, 0, recentCount), publishedFiles(domain))
        .slice(0, recentCount)
        .map(toHead);
    },

    async nextPublishDate(domain) {
      const rows = await stored(
        db
          .select({ next: min(publishAt) })
          .from(blogPosts)
          .where(published(domain, gt(publishAt, now)))
          .execute(),
      );
      if (!rows) return new Date(now.getTime() + retryAfterMs);
      const waiting = files
        .filter((file) => file.domain === domain && !isPublished(file))
        .map((file) => file.publishAt);
      const instants = [...rows.flatMap(({ next }) => next ?? []), ...waiting];
      return instants.toSorted((one, other) => one.getTime() - other.getTime())[0] ?? null;
    },
  };
}

type Moment = { publishAt: Date };

/**
 * Of two at the same instant the one that was first in line stays first: sorting is stable, and
 * files come first.
 */
const newestFirst = (one: Moment, other: Moment) =>
  other.publishAt.getTime() - one.publishAt.getTime();

const merge = (rows: DatedHead[], files: DatedPost[]): (DatedHead | DatedPost)[] =>
  [...files, ...rows].toSorted(newestFirst);

const toHead = ({
  id,
  slug,
  metaTitle,
  metaDescription,
  pinterestImageLink,
}: Post | DatedHead): PostHead => ({
  id,
  slug,
  metaTitle,
  metaDescription,
  pinterestImageLink,
});
