import { desc, eq, getTableColumns, sql } from "drizzle-orm";
import type { Database } from "../../../../db/database.ts";
import { findRow } from "../../../../db/rows.ts";
import { readShared, readSharedOr, type SharedRead } from "../../../../db/shared-reads.ts";
import { listChanges, oldestFirst } from "../../../lib/article-dates.ts";
import { writtenInstant } from "../../../lib/dates.ts";
import { findAvailable } from "../../../lib/images/art.ts";
import { storedImagePath } from "../../../lib/images/stored-image.ts";
import { createMemo } from "../../../lib/memo.ts";
import { slugPattern } from "../../../lib/text/slug.ts";
import { toTypographic } from "../../../lib/text/typography/typography.ts";
import type { Services } from "../../../platform/services.ts";
import { cacheTags } from "../../../platform/tags.ts";
import type { Photo } from "../../../site-files/site-fields.server.ts";
import { type SiteSettings, siteSettingsFile } from "../../brand/files.server.ts";
import { type FileNote, readFileNotes } from "../../file-notes/notes.server.ts";
import { blogFolder, type PostFile } from "../files.server.ts";
import { domainOf, pageSize } from "../model.ts";
import { blogPosts, type StoredImage } from "../schema.server.ts";
import {
  isPublished,
  type OwnPost,
  type PostServices,
  type PostSource,
  typesetCorrection,
  typesetPost,
} from "./post.ts";

/**
 * The number of posts that lists can show. With 600 bytes per post, they take about 6 MB of memory.
 */
const maxPosts = 10_000;
/**
 * How many characters the texts of the newest posts in memory may have together. The other texts
 * are read from the database for each page.
 */
const maxTextLength = 5_000_000;

type PostRow = typeof blogPosts.$inferSelect;

const { blog, publishAt, id, state, slug } = blogPosts;
const newest = [desc(publishAt), desc(id)];
const lengthSoFar = sql`sum(length(${blog})) over (order by ${sql.join(newest, sql`, `)})`;
const columns = {
  ...getTableColumns(blogPosts),
  blog: sql<string | null>`case when ${lengthSoFar} <= ${maxTextLength} then ${blog} end`,
  // xmin changes with every update of a row.
  version: sql<string>`${blogPosts}.xmin::text`,
};

/** The published and scheduled posts in the database, newest first. */
export const storedPosts: SharedRead<OwnPost[]> = {
  name: "posts in the database",
  tags: [cacheTags.blog],
  async load(db) {
    const rows = await db
      .select(columns)
      .from(blogPosts)
      .where(eq(state, "published"))
      .orderBy(...newest)
      .limit(maxPosts);
    return rows.map(({ blog, version, ...row }) => ({
      ...toPost({ ...row, blog: blog ?? "" }),
      ...(blog === null && { unreadVersion: version }),
    }));
  },
};

export const toPost = ({
  state,
  createdAt: _createdAt,
  draftId: _draftId,
  ...row
}: PostRow): OwnPost => ({
  ...typesetPost(row),
  id: String(row.id),
  image: row.image && toPhoto(row.image),
  corrections: row.corrections.map(typesetCorrection),
  isFile: false,
  isDraft: state !== "published",
  isDown: state === "down",
  category: null,
});

const toPhoto = ({ id, width, height, alt, caption, credit }: StoredImage): Photo => ({
  file: storedImagePath(id),
  width,
  height,
  alt: toTypographic(alt),
  caption: caption && toTypographic(caption),
  credit: credit && toTypographic(credit),
});

const filePosts = createMemo<OwnPost[]>();

/** The posts in files, also those that readers do not see. */
export async function listFilePosts({ site, db }: Pick<Services, "site" | "db">) {
  const settings = site.read(siteSettingsFile);
  const files = site.readAll(blogFolder);
  const notes = await readFileNotes(db, "post");
  return filePosts("all", [files, settings, notes], () =>
    files.map((file) => toFilePost(file, settings, notes.get(file.id))),
  );
}

function toFilePost(
  { id, front, body }: PostFile,
  { origin, timeZone }: Pick<SiteSettings, "origin" | "timeZone">,
  note?: FileNote,
): OwnPost {
  const { pinterestImageLink: link = null } = front;
  const isDown = note?.isDown ?? false;
  return typesetPost({
    id,
    domain: domainOf(new URL(origin).host),
    slug: id,
    blog: body,
    metaTitle: front.metaTitle,
    metaDescription: front.metaDescription,
    date: front.date,
    publishAt: writtenInstant(front.date, timeZone),
    isDraft: front.draft || isDown,
    isDown,
    category: front.category ?? null,
    author: front.author,
    updated: front.updated ?? null,
    corrections: [...front.corrections, ...(note?.corrections.map(typesetCorrection) ?? [])],
    image: findAvailable(front.image),
    // Other sites read this field as well, so it is always a complete URL.
    pinterestImageLink: link?.startsWith("/") ? origin + link : link,
    shortTailKeywords: front.shortTailKeywords ?? null,
    longTailKeywords: front.longTailKeywords ?? null,
    youtubeShortsUrl: front.youtubeShortsUrl ?? null,
    isFile: true,
  });
}

const ownPosts = createMemo<{ posts: OwnPost[]; changesAt: Date[] }>();
const noPosts: OwnPost[] = [];

/**
 * Returns the posts of a domain that readers may see, newest first. If a file and a row have the
 * same slug, only the file is shown. The page that shows them expires when the next post is
 * published, updated or corrected.
 */
export async function readPublished(
  services: Omit<PostServices, "blogBackend">,
  domain: string,
): Promise<OwnPost[]> {
  const { site, db, clock, expireAt } = services;
  const rows = await readSharedOr(db, storedPosts, noPosts);
  const files = await listFilePosts(services);
  const { timeZone } = site.read(siteSettingsFile);
  const { posts, changesAt } = ownPosts(domain, [rows, files, timeZone], () => {
    const fileSlugs = new Set(files.map((file) => file.slug));
    const posts = [...files, ...rows.filter((row) => !fileSlugs.has(row.slug))]
      .filter((post) => post.domain === domain && !post.isDraft)
      .sort((one, other) => other.publishAt.getTime() - one.publishAt.getTime());
    return {
      posts,
      changesAt: posts.flatMap((post) => listChanges(post, timeZone)).sort(oldestFirst),
    };
  });
  const now = clock();
  const nextChange = changesAt.find((at) => at > now);
  if (nextChange) expireAt?.(nextChange);
  const first = posts.findIndex((post) => post.publishAt <= now);
  return first < 0 ? [] : posts.slice(first);
}

export const ownPostSource = (services: Omit<PostServices, "blogBackend">): PostSource => ({
  async list(domain, page) {
    const posts = await readPublished(services, domain);
    const start = (page - 1) * pageSize;
    return { heads: posts.slice(start, start + pageSize), total: posts.length };
  },

  async find(requestedSlug) {
    // No post has another kind of slug, and the database refuses some characters.
    if (!slugPattern.test(requestedSlug)) return null;
    const files = await listFilePosts(services);
    const post =
      files.find((file) => file.slug === requestedSlug) ??
      (await findPublishedRow(services.db, requestedSlug));
    return post && isPublished(post, services.clock()) ? post : null;
  },

  recent: (domain) => readPublished(services, domain),
});

async function findPublishedRow(db: Database, requestedSlug: string): Promise<OwnPost | null> {
  const posts = await readShared(db, storedPosts);
  const known = posts.find((post) => post.slug === requestedSlug);
  const isComplete = known ? known.unreadVersion === undefined : posts.length < maxPosts;
  return isComplete ? (known ?? null) : findStoredPost(db, requestedSlug);
}

/** Finds a post in the database, also if readers do not see it. */
export async function findStoredPost(db: Database, wanted: string): Promise<OwnPost | null> {
  const row = await findRow(db, blogPosts, eq(slug, wanted));
  return row && toPost(row);
}

/** Finds a post that is a file or in the database, also if readers do not see it. */
export async function findAnyPost(services: Pick<Services, "site" | "db">, wanted: string) {
  const file = (await listFilePosts(services)).find((post) => post.slug === wanted);
  return file ?? findStoredPost(services.db, wanted);
}
