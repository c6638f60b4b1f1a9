import { and, asc, desc, eq, inArray, isNotNull, type SQL, sql } from "drizzle-orm";
import type { Database } from "../../../../db/database.ts";
import { matchesEtag } from "../../../lib/http/if-none-match.server.ts";
import type { Image } from "../../../lib/site/site-fields.server.ts";
import { storyImages, storySubmissions } from "./schema.server.ts";

/** A reader's story without the fields that are not public. */
export type ReaderStory = {
  slug: string;
  title: string;
  story: string;
  name: string;
  category: string;
  day: string;
  publishedAt: Date;
  images: Image[];
};

const { id, slug, title, story, name, category, day, publishedAt, state } = storySubmissions;
const isApproved = and(eq(state, "approved"), isNotNull(slug));
/** In the order of JavaScript's strings, in which records are sorted, whatever the database's. */
const sortedSlug = sql`${slug} collate "C"`;

const maxCardTextLength = 600;

export type ReaderStoryOptions = {
  categories?: string[] | undefined;
  /** A month such as 2026-11. */
  month?: string | undefined;
  slugs?: string[] | undefined;
  /** How many of the newest stories to skip. */
  skip?: number;
  /** How much of the text to read. Cards show only its beginning. */
  maxTextLength?: number;
};

const listColumns = (maxTextLength: number) => ({
  id,
  slug,
  title,
  story: sql<string>`left(${story}, ${maxTextLength})`,
  name,
  category,
  day,
  publishedAt,
});

/** The newest approved stories, each with the first `maxTextLength` characters of its text. */
export async function newestReaderStories(
  db: Database,
  count: number,
  {
    categories,
    month,
    slugs,
    skip = 0,
    maxTextLength = maxCardTextLength,
  }: ReaderStoryOptions = {},
): Promise<ReaderStory[]> {
  // The texts are read only after the newest stories are known: with many stories, the database
  // would otherwise read all of them before it sorts.
  const newest = db
    .select({ id })
    .from(storySubmissions)
    .where(
      and(
        isApproved,
        categories &&
          inArray(
            sql`lower(${category})`,
            categories.map((name) => name.toLowerCase()),
          ),
        month === undefined ? undefined : isInMonth(month),
        slugs && inArray(slug, slugs),
      ),
    )
    .orderBy(desc(publishedAt), desc(sortedSlug))
    .limit(count)
    .offset(skip);
  const rows = await db
    .select(listColumns(maxTextLength))
    .from(storySubmissions)
    .where(inArray(id, newest))
    .orderBy(desc(publishedAt), desc(sortedSlug));
  return addImages(db, rows);
}

function isInMonth(month: string): SQL {
  const first = sql`${`${month}-01`}::date`;
  return sql`${day} >= ${first} and ${day} < ${first} + interval '1 month'`;
}

/**
 * The approved stories right before and after a point in the order of all stories, which is by
 * instant and then by id, without their texts and images.
 */
export async function findReaderNeighbors(
  db: Database,
  own: { id: string; publishedAt: Date },
): Promise<ReaderStory[]> {
  const position = sql`(${publishedAt}, ${sortedSlug})`;
  const ownPosition = sql`(${own.publishedAt.toISOString()}::timestamptz, ${own.id})`;
  const findFirst = (condition: SQL, order: SQL[]) =>
    db
      .select(listColumns(0))
      .from(storySubmissions)
      .where(and(isApproved, condition))
      .orderBy(...order)
      .limit(1);
  const older = await findFirst(sql`${position} < ${ownPosition}`, [
    desc(publishedAt),
    desc(sortedSlug),
  ]);
  const newer = await findFirst(sql`${position} > ${ownPosition}`, [
    asc(publishedAt),
    asc(sortedSlug),
  ]);
  return [...older, ...newer].map((row) => toReaderStory(row, []));
}

/** The months and categories of all approved stories, for the lists of choices. */
export async function readerStoryGroups(
  db: Database,
): Promise<{ month: string; category: string }[]> {
  const month = sql<string>`to_char(${day}, 'YYYY-MM')`;
  const rows = await db
    .selectDistinct({ month, category })
    .from(storySubmissions)
    .where(isApproved);
  return rows.map(({ month, category }) => ({ month, category: category ?? "" }));
}

export async function findApprovedStory(
  db: Database,
  requestedSlug: string,
): Promise<ReaderStory | null> {
  const rows = await db
    .select({ id, slug, title, story, name, category, day, publishedAt })
    .from(storySubmissions)
    .where(and(isApproved, eq(slug, requestedSlug)));
  return (await addImages(db, rows))[0] ?? null;
}

/** The number of values per SQL statement is limited. */
const batchSize = 1_000;

/** Returns those of these slugs that readers' approved stories have. */
export async function findApprovedSlugs(db: Database, slugs: string[]): Promise<Set<string>> {
  const found = new Set<string>();
  for (let start = 0; start < slugs.length; start += batchSize) {
    const batch = slugs.slice(start, start + batchSize);
    const rows = await db
      .select({ slug })
      .from(storySubmissions)
      .where(and(isApproved, inArray(slug, batch)));
    for (const row of rows) if (row.slug !== null) found.add(row.slug);
  }
  return found;
}

type Row = Omit<ReaderStory, "images" | "slug" | "category" | "day" | "publishedAt"> & {
  id: string;
  slug: string | null;
  category: string | null;
  day: string | null;
  publishedAt: Date | null;
};

async function addImages(db: Database, rows: Row[]): Promise<ReaderStory[]> {
  if (rows.length === 0) return [];
  const { id: imageId, story: storyId, width, height, alt, position } = storyImages;
  const images = await db
    .select({ id: imageId, storyId, width, height, alt })
    .from(storyImages)
    .where(
      inArray(
        storyImages.story,
        rows.map((row) => row.id),
      ),
    )
    .orderBy(asc(position));
  const imagesByStory = Map.groupBy(images, (image) => image.storyId);
  return rows.map((row) =>
    toReaderStory(
      row,
      (imagesByStory.get(row.id) ?? []).map(({ id, width, height, alt }) => ({
        file: imagePath(id),
        width,
        height,
        alt,
      })),
    ),
  );
}

const toReaderStory = (
  { slug, title, story, name, category, day, publishedAt }: Row,
  images: Image[],
): ReaderStory => ({
  slug: slug ?? "",
  title,
  story,
  name,
  category: category ?? "",
  day: day ?? "",
  publishedAt: publishedAt ?? new Date(0),
  images,
});

const imagePath = (id: string) => `/pictures/${id}.webp`;

/**
 * An image never changes, so it could be cached forever. But when an image is removed from the
 * site, it must soon disappear from browsers and caches as well.
 */
const cacheForOneDay = "public, max-age=86400";

/**
 * Serves an image of an approved story. Images of other stories are never served, and nobody can
 * guess their paths.
 */
export async function readerImageResponse(
  db: Database,
  file: string,
  ifNoneMatch: string | null,
): Promise<Response> {
  const [, imageId] = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.webp$/.exec(file) ?? [];
  const [image] = imageId
    ? await db
        .select({ bytes: storyImages.bytes })
        .from(storyImages)
        .innerJoin(storySubmissions, eq(storyImages.story, storySubmissions.id))
        .where(and(eq(storyImages.id, imageId), eq(state, "approved")))
    : [];
  if (!image) return new Response("This image was not found.\n", { status: 404 });
  const etag = `"${imageId}"`;
  const headers = {
    ETag: etag,
    "Content-Type": "image/webp",
    "Cache-Control": cacheForOneDay,
    "Cross-Origin-Resource-Policy": "cross-origin",
  };
  if (matchesEtag(ifNoneMatch, etag)) return new Response(null, { status: 304, headers });
  return new Response(new Uint8Array(image.bytes), { headers });
}
