import { and, desc, eq, lte, sql } from "drizzle-orm";
import type { Database } from "../../../../db/database.ts";
import { readShared, readSharedOr, type SharedRead } from "../../../../db/shared-reads.ts";
import { writtenInstant } from "../../../lib/dates.ts";
import { storedImagePath } from "../../../lib/images/stored-image.ts";
import { createMemo } from "../../../lib/memo.ts";
import { slugPattern } from "../../../lib/text/slug.ts";
import { toTypographic } from "../../../lib/text/typography/typography.ts";
import type { PageScope } from "../../../platform/services.ts";
import { cacheTags } from "../../../platform/tags.ts";
import type { Photo } from "../../../site-files/site-fields.server.ts";
import { pageSize } from "../model.ts";
import { blogPosts, type StoredImage } from "../schema.server.ts";
import { type DatedPost, isPublished } from "./file-posts.server.ts";
import {
  type Post,
  type PostHead,
  type PostSource,
  typesetCorrection,
  typesetPost,
} from "./post.ts";

/**
 * The number of posts that lists can show. With 600 bytes per post, they take about 6 MB of memory.
 */
const maxCachedHeads = 10_000;
/** Older and longer posts are read from the database for each page. */
const maxCachedPosts = 50;
const maxCachedLength = 100_000;

type DatedHead = PostHead & { publishAt: Date } & Pick<Post, "updated" | "corrections">;

const { id, slug, metaTitle, metaDescription, pinterestImageLink, publishAt } = blogPosts;
const { image, updated, corrections } = blogPosts;
const headColumns = {
  id,
  slug,
  metaTitle,
  metaDescription,
  pinterestImageLink,
  publishAt,
  image,
  updated,
  corrections,
};
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
    return rows.map((row) => ({ ...typesetPost(row), ...typesetNotes(row), id: String(row.id) }));
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
const changeDates = createMemo<Date[]>();

type OwnPosts = {
  db: Database;
  readFiles(): Promise<DatedPost[]>;
  now: Date;
  timeZone: string;
  expireAt?: PageScope["expireAt"] | undefined;
};

/**
 * Published and scheduled posts, newest first, without drafts. If a file and a row have the same
 * slug, only the file is shown.
 */
async function readAll({ db, readFiles }: OwnPosts, domain: string) {
  const rows = await readSharedOr(db, storedHeads(domain), []);
  const files = await readFiles();
  return mergedHeads(domain, [rows, files], () => {
    const fileSlugs = new Set(files.map((file) => file.slug));
    return [
      ...files.filter((file) => file.domain === domain && !file.isDraft),
      ...rows.filter((row) => !fileSlugs.has(row.slug)),
    ].sort(newestFirst);
  });
}

/**
 * Returns the posts that readers may see. The page that shows them expires when the next post is
 * published, updated or corrected.
 */
export async function readPublished(own: OwnPosts, domain: string) {
  const all = await readAll(own, domain);
  const changesAt = findNextChange(all, own, domain);
  if (changesAt) own.expireAt?.(changesAt);
  const first = all.findIndex((post) => post.publishAt <= own.now);
  return first < 0 ? [] : all.slice(first);
}

function findNextChange(
  posts: (DatedHead | DatedPost)[],
  { now, timeZone }: OwnPosts,
  domain: string,
): Date | undefined {
  const changes = changeDates(domain, [posts, timeZone], () =>
    posts.flatMap((post) => listChanges(post, timeZone)).sort(oldestFirst),
  );
  return changes.find((at) => at > now);
}

/** The times when a post is published, updated and corrected, in chronological order. */
export const listChanges = (
  { publishAt, updated, corrections }: DatedHead | DatedPost,
  timeZone: string,
): Date[] =>
  [updated, ...corrections.map(({ date }) => date)]
    .flatMap((date) => (date === null ? [] : writtenInstant(date, timeZone)))
    .concat(publishAt)
    .sort(oldestFirst);

const oldestFirst = (one: Date, other: Date) => one.getTime() - other.getTime();

export function ownPostSource(own: OwnPosts): PostSource {
  const { db, readFiles, now } = own;
  return {
    async list(domain, page) {
      const posts = await readPublished(own, domain);
      const start = (page - 1) * pageSize;
      return { heads: posts.slice(start, start + pageSize), total: posts.length };
    },

    async find(requestedSlug) {
      // No post has another kind of slug, and the database refuses some characters.
      if (!slugPattern.test(requestedSlug)) return null;
      const file = (await readFiles()).find((candidate) => candidate.slug === requestedSlug);
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
  };
}

export const toPost = ({
  state: _state,
  createdAt: _createdAt,
  draftId: _draftId,
  ...row
}: StoredPost): DatedRow => ({
  ...typesetPost(row),
  ...typesetNotes(row),
  id: String(row.id),
  isFile: false,
});

const typesetNotes = ({ image, corrections }: Pick<StoredPost, "image" | "corrections">) => ({
  image: image && toPhoto(image),
  corrections: corrections.map(typesetCorrection),
});

const toPhoto = ({ id, width, height, alt, caption, credit }: StoredImage): Photo => ({
  file: storedImagePath(id),
  width,
  height,
  alt: toTypographic(alt),
  caption: caption && toTypographic(caption),
  credit: credit && toTypographic(credit),
});

/** Sorts by date. Sorting is stable, so files stay before rows with the same instant. */
const newestFirst = (one: { publishAt: Date }, other: { publishAt: Date }) =>
  other.publishAt.getTime() - one.publishAt.getTime();
