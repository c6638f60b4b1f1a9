import { randomUUID } from "node:crypto";
import { and, eq, inArray, ne } from "drizzle-orm";
import type { Database } from "../../../../db/database.ts";
import { findRow, lockRow } from "../../../../db/rows.ts";
import { listStoredImages, storedImagePath } from "../../../lib/images/stored-image.ts";
import type { Services } from "../../../platform/services.ts";
import { cacheTags, purge } from "../../../platform/tags.ts";
import type { Correction } from "../../../site-files/article-fields.server.ts";
import { redirects } from "../../redirects/schema.server.ts";
import { storyPath } from "../model.ts";
import { assignSlugAndDates, rememberTitle } from "../remembered.server.ts";
import {
  publishedListStates,
  rememberedStories,
  type StoryRow,
  storyImages,
  storySubmissions,
} from "../schema.server.ts";

export type StoryFields = {
  title: string;
  excerpt: string;
  /** Markdown; plain text in a reader's story. */
  text: string;
  category: string;
  authors: string[];
  image: { id: string; alt: string; caption: string; credit: string } | null;
  isPinned: boolean;
  /** Null for an ordinary story. */
  live: boolean | null;
  corrections: Correction[];
};

/** A new image of a story or post, which is stored together with it. */
export type NewImage = { id: string; width: number; height: number; bytes: Uint8Array };

export type StoryToWrite = {
  /** The locked row of the story. Null for a new story. */
  row: StoryRow | null;
  newId?: string;
  fields: StoryFields;
  html: string;
  at: Date;
  newImages?: NewImage[];
  /** "approved" unless the story stays as it is, such as taken down. */
  state?: StoryRow["state"] | undefined;
};

const isListed = inArray(storySubmissions.state, publishedListStates);

export const lockStory = (tx: Database, id: string): Promise<StoryRow | null> =>
  lockRow(tx, storySubmissions, and(eq(storySubmissions.id, id), isListed));

/** A story that was published before keeps its slug and the date of its first publication. */
export async function writeStory(
  { site }: Pick<Services, "site">,
  tx: Database,
  { row, newId = randomUUID(), fields, html, at, newImages = [], state = "approved" }: StoryToWrite,
): Promise<{ id: string; slug: string }> {
  const images = [...newImages, ...(row ? await listSizes(tx, row.id) : [])];
  const { image, authors, ...texts } = fields;
  const isFromReader = row?.writtenBy === "reader";
  const published = await assignSlugAndDates(tx, site, row, fields.title, at);
  const values = {
    ...texts,
    ...(isFromReader ? { name: authors[0] ?? "" } : { authors, html: addImageSizes(html, images) }),
    ...published,
    state,
    decidedAt: at,
    updatedAt: row?.publishedAt ? at : null,
  };
  const storyId = row?.id ?? newId;
  if (row) await tx.update(storySubmissions).set(values).where(eq(storySubmissions.id, storyId));
  else
    await tx.insert(storySubmissions).values({
      ...values,
      id: storyId,
      key: `desk:${storyId}`,
      writtenBy: "desk",
      name: "",
      email: "",
      createdAt: at,
    });
  if (!isFromReader) await placeImages(tx, storyId, fields, newImages);
  await rememberTitle(tx, published.slug, state === "down" ? "" : fields.title, at);
  await purge(tx, [cacheTags.stories]);
  return { id: storyId, slug: published.slug };
}

const listSizes = (tx: Database, storyId: string): Promise<Omit<NewImage, "bytes">[]> =>
  tx
    .select({ id: storyImages.id, width: storyImages.width, height: storyImages.height })
    .from(storyImages)
    .where(eq(storyImages.storyId, storyId));

/** Adds the sizes of our images to a rendered text, so that it does not move while they load. */
export const addImageSizes = (html: string, images: Omit<NewImage, "bytes">[]): string =>
  images.reduce((text, { id, width, height }) => {
    const source = `src="${storedImagePath(id)}"`;
    return text.replaceAll(source, `${source} width="${width}" height="${height}"`);
  }, html);

/** Stores new images, and hides those that only earlier versions of the story have. */
async function placeImages(
  tx: Database,
  storyId: string,
  { image, text }: StoryFields,
  newImages: NewImage[],
): Promise<void> {
  await tx.update(storyImages).set({ position: -1 }).where(eq(storyImages.storyId, storyId));
  for (const newImage of newImages)
    await tx
      .insert(storyImages)
      .values({ ...newImage, storyId, position: -1, alt: "" })
      .onConflictDoNothing();
  const place = (id: string, values: Partial<typeof storyImages.$inferInsert>) =>
    tx
      .update(storyImages)
      .set(values)
      .where(and(eq(storyImages.id, id), eq(storyImages.storyId, storyId)));
  for (const [index, id] of listStoredImages(text).entries())
    await place(id, { position: index + 1 });
  if (image) {
    const { id, ...texts } = image;
    await place(id, { ...texts, position: 0 });
  }
}

/** `row` must be locked. Purges the pages that show the story. */
export async function changeStory(
  tx: Database,
  { id }: StoryRow,
  values: Partial<StoryRow>,
): Promise<void> {
  await tx.update(storySubmissions).set(values).where(eq(storySubmissions.id, id));
  await purge(tx, [cacheTags.stories]);
}

/**
 * Returns false if the path belongs, or once belonged, to another story. A story can get back a
 * path that it had before.
 */
export async function renameStory(
  tx: Database,
  row: StoryRow,
  slug: string,
  at: Date,
): Promise<boolean> {
  const isOwn = and(
    eq(redirects.oldPath, storyPath(slug)),
    eq(redirects.newPath, storyPath(row.slug ?? "")),
  );
  const others = and(eq(storySubmissions.slug, slug), ne(storySubmissions.id, row.id));
  const isTaken =
    (await tx.$count(storySubmissions, others)) > 0 ||
    ((await tx.$count(rememberedStories, eq(rememberedStories.slug, slug))) > 0 &&
      (await tx.$count(redirects, isOwn)) === 0);
  if (isTaken) return false;
  await changeStory(tx, row, { slug, decidedAt: at });
  // The old path is only a redirect now, so it must not be suggested as the place of the story.
  await rememberTitle(tx, row.slug ?? slug, "", at);
  await rememberTitle(tx, slug, row.title, at);
  return true;
}

export async function readFields(db: Database, row: StoryRow): Promise<StoryFields> {
  const { title, excerpt, text, category, isPinned, live, corrections, writtenBy, name } = row;
  const { id, alt, caption, credit } = storyImages;
  const [image = null] = await db
    .select({ id, alt, caption, credit })
    .from(storyImages)
    .where(and(eq(storyImages.storyId, row.id), eq(storyImages.position, 0)));
  return {
    title,
    excerpt,
    text,
    category: category ?? "",
    authors: writtenBy === "desk" ? row.authors : name === "" ? [] : [name],
    image,
    isPinned,
    live,
    corrections,
  };
}

export function findStoryRow(
  db: Database,
  by: { id: string } | { slug: string },
): Promise<StoryRow | null> {
  const { id, slug } = storySubmissions;
  const isWanted = "id" in by ? eq(id, by.id) : eq(slug, by.slug);
  return findRow(db, storySubmissions, and(isWanted, isListed));
}

/** Also finds a story that waits for a decision or was rejected. */
export const hasStory = async (db: Database, id: string): Promise<boolean> =>
  (await db.$count(storySubmissions, eq(storySubmissions.id, id))) > 0;
