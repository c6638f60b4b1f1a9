import { and, eq, inArray } from "drizzle-orm";
import type { Database } from "../../../../db/database.ts";
import { findRow, lockRow } from "../../../../db/rows.ts";
import { localTimestamp } from "../../../lib/dates.ts";
import { listStoredImages } from "../../../lib/images/stored-image.ts";
import { findFreeSlug } from "../../../lib/text/slug.ts";
import type { Services } from "../../../platform/services.ts";
import { cacheTags, purge } from "../../../platform/tags.ts";
import { siteSettingsFile } from "../../brand/files.server.ts";
import type { NewImage, StoryFields } from "../../stories/desk/rows.server.ts";
import { ownDomain } from "../backend/source.server.ts";
import { blogFolder } from "../files.server.ts";
import { blogPosts, postImages, type StoredImage } from "../schema.server.ts";

/** What a post of the desk says, and a story of the desk too. */
export type ArticleFields = Omit<StoryFields, "category" | "isPinned" | "live">;

export type PostRow = typeof blogPosts.$inferSelect;

export type PostToWrite = {
  /** The locked row of the post. Null for a new post. */
  row: PostRow | null;
  /** The id of the drafts of a new post. */
  draftId?: string;
  fields: ArticleFields;
  /** When readers see the post. A post that readers have seen already keeps its first date. */
  at: Date;
  newImages?: NewImage[];
  /** "published" unless the post stays as it is, such as taken down. */
  state?: PostRow["state"] | undefined;
};

export const lockPost = (tx: Database, id: number): Promise<PostRow | null> =>
  lockRow(tx, blogPosts, eq(blogPosts.id, id));

export const findPostRow = (db: Database, id: number): Promise<PostRow | null> =>
  findRow(db, blogPosts, eq(blogPosts.id, id));

export const findPostOfDraft = (db: Database, draftId: string): Promise<PostRow | null> =>
  findRow(db, blogPosts, eq(blogPosts.draftId, draftId));

/** Returns the id of the drafts of a post. A post without one gets one. The post must be locked. */
export async function namePostDraft(tx: Database, { id, draftId }: PostRow): Promise<string> {
  const named = draftId ?? crypto.randomUUID();
  await tx.update(blogPosts).set({ draftId: named }).where(eq(blogPosts.id, id));
  return named;
}

/** Publishes a post of the desk, or a new text of a post. Its slug stays. */
export async function writePost(
  { site, clock }: Pick<Services, "site" | "clock">,
  tx: Database,
  { row, draftId, fields, at, newImages = [], state = "published" }: PostToWrite,
): Promise<{ id: number; slug: string }> {
  const { timeZone } = site.read(siteSettingsFile);
  const now = clock();
  const dates =
    row && row.publishAt <= now
      ? { date: row.date, publishAt: row.publishAt, updated: localTimestamp(now, timeZone) }
      : { date: localTimestamp(at, timeZone), publishAt: at };
  const values = {
    metaTitle: fields.title,
    metaDescription: fields.excerpt,
    blog: fields.text,
    author: fields.authors,
    corrections: fields.corrections,
    state,
    ...dates,
  };
  const post = row
    ? await updatePost(tx, row.id, values)
    : await insertPost(tx, {
        ...values,
        slug: await findPostSlug(tx, fields.title, site.names(blogFolder)),
        domain: ownDomain(site),
        createdAt: now,
        draftId,
      });
  await placeImages(tx, post.id, fields, newImages);
  await purge(tx, [cacheTags.blog, cacheTags.post(post.slug)]);
  return post;
}

const { id: postId, slug } = blogPosts;

async function updatePost(tx: Database, id: number, values: Partial<PostRow>) {
  const [post] = await tx
    .update(blogPosts)
    .set(values)
    .where(eq(postId, id))
    .returning({ id: postId, slug });
  if (!post) throw new Error(`The post ${id} was not stored.`);
  return post;
}

async function insertPost(tx: Database, values: typeof blogPosts.$inferInsert) {
  const [post] = await tx.insert(blogPosts).values(values).returning({ id: postId, slug });
  if (!post) throw new Error("The post was not stored.");
  return post;
}

/** Stores new images, and hides those that only earlier versions of the post have. */
async function placeImages(
  tx: Database,
  id: number,
  { image, text }: ArticleFields,
  newImages: NewImage[],
): Promise<void> {
  for (const newImage of newImages)
    await tx
      .insert(postImages)
      .values({ ...newImage, postId: id, isShown: false })
      .onConflictDoNothing();
  const shown = [...(image ? [image.id] : []), ...listStoredImages(text)];
  await tx
    .update(postImages)
    .set({ isShown: shown.length > 0 ? inArray(postImages.id, shown) : false })
    .where(eq(postImages.postId, id));
  const { width, height } = postImages;
  const [size] = image
    ? await tx
        .select({ width, height })
        .from(postImages)
        .where(and(eq(postImages.id, image.id), eq(postImages.postId, id)))
    : [];
  const stored: StoredImage | null =
    image && size
      ? { ...image, ...size, caption: image.caption || null, credit: image.credit || null }
      : null;
  await tx.update(blogPosts).set({ image: stored }).where(eq(postId, id));
}

const findPostSlug = (tx: Database, title: string, fileNames: string[]) =>
  findFreeSlug(
    title,
    "post",
    async (candidate) =>
      (await tx.$count(blogPosts, eq(slug, candidate))) > 0 || fileNames.includes(candidate),
  );

/** Moves a post to another path. Returns false if another post has that path. */
export async function renamePost(tx: Database, row: PostRow, newSlug: string): Promise<boolean> {
  if ((await tx.$count(blogPosts, eq(slug, newSlug))) > 0) return false;
  await tx.update(blogPosts).set({ slug: newSlug }).where(eq(postId, row.id));
  await purge(tx, [cacheTags.blog, cacheTags.post(row.slug), cacheTags.post(newSlug)]);
  return true;
}

export const readPostFields = (row: PostRow): ArticleFields => ({
  title: row.metaTitle,
  excerpt: row.metaDescription,
  text: row.blog,
  authors: row.author,
  image: row.image && {
    id: row.image.id,
    alt: row.image.alt,
    caption: row.image.caption ?? "",
    credit: row.image.credit ?? "",
  },
  corrections: row.corrections,
});
