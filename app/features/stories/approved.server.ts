import { and, asc, desc, eq, getTableColumns, gte, inArray, isNotNull, sql } from "drizzle-orm";
import type { Database } from "../../../db/database.ts";
import { readShared, type SharedRead } from "../../../db/shared-reads.ts";
import { storedImagePath } from "../../lib/images/stored-image.ts";
import { cacheTags } from "../../platform/tags.ts";
import type { Photo } from "../../site-files/site-fields.server.ts";
import {
  publishedListStates,
  type StoryRow,
  storyImages,
  storySubmissions,
} from "./schema.server.ts";

// What readers see never contains these.
const {
  email: _email,
  key: _key,
  visitorHash: _visitorHash,
  typed: _typed,
  ...columns
} = getTableColumns(storySubmissions);

type Row = Pick<StoryRow, keyof typeof columns>;

type Texts =
  | "title"
  | "text"
  | "name"
  | "writtenBy"
  | "authors"
  | "excerpt"
  | "html"
  | "corrections";

/** A story of a reader or of the desk, as far as it is public. */
export type StoredStory = Pick<Row, Texts | "updatedAt" | "isPinned" | "live"> & {
  slug: string;
  category: string;
  day: string;
  publishedAt: Date;
  /** The image above the text, and those below it. */
  images: Photo[];
};

const { slug, publishedAt, state, writtenBy } = storySubmissions;
const isApproved = and(eq(state, "approved"), isNotNull(slug));
/**
 * Sorts slugs as JavaScript sorts the records of files, whatever the collation of the database is.
 */
const sortedSlug = sql`${slug} collate "C"`;

/** More than the list of stories shows. With 3 KB per story, they take about 8 MB of memory. */
const maxCached = 2_500;

export const approvedStories: SharedRead<StoredStory[]> = {
  name: "stories in the database",
  tags: [cacheTags.stories],
  async load(db) {
    const rows = await db
      .select(columns)
      .from(storySubmissions)
      .where(isApproved)
      .orderBy(desc(publishedAt), desc(sortedSlug))
      .limit(maxCached);
    return addImages(db, rows);
  },
};

export async function findApprovedStory(db: Database, requestedSlug: string) {
  const newest = await readShared(db, approvedStories);
  const found = newest.find((each) => each.slug === requestedSlug);
  if (found || newest.length < maxCached) return found ?? null;
  const rows = await db
    .select(columns)
    .from(storySubmissions)
    .where(and(isApproved, eq(slug, requestedSlug)));
  return (await addImages(db, rows))[0] ?? null;
}

type ListedStory = Pick<StoryRow, "writtenBy" | "state">;

/** Every listed story by its slug, however many stories there are. */
export const listedStories: SharedRead<ReadonlyMap<string, ListedStory>> = {
  name: "slugs of stories in the database",
  tags: [cacheTags.stories],
  async load(db) {
    const isListed = and(inArray(state, publishedListStates), isNotNull(slug));
    const rows = await db.select({ slug, writtenBy, state }).from(storySubmissions).where(isListed);
    return new Map(rows.map((row) => [row.slug ?? "", row]));
  },
};

async function addImages(db: Database, rows: Row[]): Promise<StoredStory[]> {
  if (rows.length === 0) return [];
  const ids = rows.map((row) => row.id);
  const { id: imageId, storyId, width, height, alt, caption, credit, position } = storyImages;
  const images = await db
    .select({ id: imageId, storyId, width, height, alt, caption, credit, position })
    .from(storyImages)
    .where(and(inArray(storyId, ids), gte(position, 0)))
    .orderBy(asc(position));
  const imagesByStory = Map.groupBy(images, (image) => image.storyId);
  return rows.map((story) => ({
    ...story,
    slug: story.slug ?? "",
    category: story.category ?? "",
    day: story.day ?? "",
    publishedAt: story.publishedAt ?? new Date(0),
    images: (imagesByStory.get(story.id) ?? [])
      // The text of a story of the desk contains its other images.
      .filter(({ position }) => story.writtenBy === "reader" || position === 0)
      .map(({ id, width, height, alt, caption, credit }) => ({
        file: storedImagePath(id),
        width,
        height,
        alt,
        caption: caption || null,
        credit: credit || null,
      })),
  }));
}

/** Finds an image of a story that readers may see. */
export async function findStoryImage(db: Database, imageId: string): Promise<Uint8Array | null> {
  const [image] = await db
    .select({ bytes: storyImages.bytes })
    .from(storyImages)
    .innerJoin(storySubmissions, eq(storyImages.storyId, storySubmissions.id))
    .where(and(eq(storyImages.id, imageId), gte(storyImages.position, 0), eq(state, "approved")));
  return image?.bytes ?? null;
}
