import { and, desc, eq, gt, lte, min, notInArray, type SQL } from "drizzle-orm";
import { retryAfterMs, withTimeout } from "../../../lib/http/with-timeout.server.ts";
import type { Services } from "../../../platform/services.ts";
import { pageSize, slugPattern } from "../model.ts";
import { blogPosts } from "../schema.server.ts";
import { type DatedPost, isPublished } from "./file-posts.server.ts";
import { type BlogSource, noNotes, type PostHead } from "./post.ts";

/** The number of posts from which an article chooses its related posts. */
const recentCount = 50;

/** How long a page with posts from files waits for the posts in the database. */
const databaseTimeoutMs = 1_000;

type DatedHead = PostHead & { publishAt: Date };

const { id, slug, metaTitle, metaDescription, pinterestImageLink, publishAt } = blogPosts;
const headColumns = { id, slug, metaTitle, metaDescription, pinterestImageLink, publishAt };

/**
 * Posts in the database and posts that are files, as one list. The files are few and in memory, so
 * they are merged with the rows each time a list is read. Nothing has to be copied, and a saved
 * file appears at once. If a file and a row have the same slug, only the file is shown.
 */
export function ownSource({
  db,
  files,
  now,
  log,
}: Pick<Services, "db" | "log"> & { files: DatedPost[]; now: Date }): BlogSource {
  /**
   * Returns the result of a query, or null if the database does not respond in time, because posts
   * from files must not wait for it.
   */
  const queryOrNull = async <T>(work: Promise<T>): Promise<T | null> =>
    (await withTimeout(log, "blog.posts", databaseTimeoutMs, work))?.value ?? null;
  const publishedFiles = (domain: string) =>
    files.filter((file) => file.domain === domain && isPublished(file, now)).toSorted(newestFirst);
  const isNotFile =
    files.length > 0
      ? notInArray(
          slug,
          files.map((file) => file.slug),
        )
      : undefined;
  const publishedIn = (domain: string, when: SQL | undefined) =>
    and(eq(blogPosts.domain, domain), eq(blogPosts.state, "published"), when, isNotFile);

  async function readRows(domain: string, offset: number, limit: number): Promise<DatedHead[]> {
    const rows = await queryOrNull(
      db
        .select(headColumns)
        .from(blogPosts)
        .where(publishedIn(domain, lte(publishAt, now)))
        .orderBy(desc(publishAt), desc(id))
        .limit(limit)
        .offset(offset)
        .execute(),
    );
    return (rows ?? []).map((row) => ({ ...row, id: String(row.id), image: null }));
  }

  return {
    async list(domain, page) {
      const fromFiles = publishedFiles(domain);
      const pageStart = (page - 1) * pageSize;
      // In the merged list, a row moves down by at most the number of files. So all rows on this
      // page come after this offset. Files that are newer than the first of these rows are on
      // earlier pages.
      const rowOffset = Math.max(0, pageStart - fromFiles.length);
      const rows = await readRows(domain, rowOffset, pageStart - rowOffset + pageSize);
      const rowCount = await queryOrNull(
        db.$count(blogPosts, publishedIn(domain, lte(publishAt, now))),
      );
      const firstRow = rowOffset === 0 ? undefined : rows[0];
      const remainingFiles = firstRow
        ? fromFiles.filter((file) => newestFirst(firstRow, file) < 0)
        : fromFiles;
      const skipCount = pageStart - rowOffset - (fromFiles.length - remainingFiles.length);
      const merged =
        rowOffset > 0 && !firstRow
          ? []
          : merge(rows, remainingFiles).slice(skipCount, skipCount + pageSize);
      return { heads: merged.map(toHead), total: (rowCount ?? 0) + fromFiles.length };
    },

    async details(requestedSlug) {
      // No other slug is stored, and the database refuses some characters.
      if (!slugPattern.test(requestedSlug)) return null;
      const file = files.find((candidate) => candidate.slug === requestedSlug);
      if (file) return isPublished(file, now) ? file : null;
      const [row] = await db
        .select()
        .from(blogPosts)
        .where(and(eq(slug, requestedSlug), eq(blogPosts.state, "published"), lte(publishAt, now)));
      return row ? { ...row, ...noNotes, id: String(row.id), isFile: false } : null;
    },

    async recent(domain) {
      return merge(await readRows(domain, 0, recentCount), publishedFiles(domain))
        .slice(0, recentCount)
        .map(toHead);
    },

    async nextPublishDate(domain) {
      const rows = await queryOrNull(
        db
          .select({ next: min(publishAt) })
          .from(blogPosts)
          .where(publishedIn(domain, gt(publishAt, now)))
          .execute(),
      );
      if (!rows) return new Date(now.getTime() + retryAfterMs);
      const scheduled = files
        .filter((file) => file.domain === domain && !file.isDraft)
        .flatMap((file) => [file.publishAt, ...file.changesAt])
        .filter((at) => at > now);
      const instants = [...rows.flatMap(({ next }) => next ?? []), ...scheduled];
      return instants.toSorted((one, other) => one.getTime() - other.getTime())[0] ?? null;
    },
  };
}

type Dated = { publishAt: Date };

/** Sorts by date. Sorting is stable, so files stay before rows with the same instant. */
const newestFirst = (one: Dated, other: Dated) =>
  other.publishAt.getTime() - one.publishAt.getTime();

const merge = (rows: DatedHead[], files: DatedPost[]): (DatedHead | DatedPost)[] =>
  [...files, ...rows].toSorted(newestFirst);

const toHead = ({
  id,
  slug,
  metaTitle,
  metaDescription,
  pinterestImageLink,
  image,
  publishAt,
}: DatedPost | DatedHead): PostHead => ({
  id,
  slug,
  metaTitle,
  metaDescription,
  pinterestImageLink,
  image,
  publishAt,
});
