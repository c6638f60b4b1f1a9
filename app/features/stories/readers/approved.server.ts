import { and, asc, desc, eq, inArray, isNotNull, sql } from "drizzle-orm";
import type { Database } from "../../../../db/database.ts";
import { matchesEtag } from "../../../lib/http/if-none-match.server.ts";
import type { Image } from "../../../lib/site/site-fields.server.ts";
import { storyImages, storySubmissions } from "./schema.server.ts";

/** A reader's story as everybody may see it. */
export type ReaderStory = {
  slug: string;
  title: string;
  story: string;
  name: string;
  category: string;
  day: string;
  images: Image[];
};

const { id, slug, title, story, name, category, day, state, decidedAt } = storySubmissions;
const isApproved = and(eq(state, "approved"), isNotNull(slug));

const cardTextLength = 600;

/** The newest, with as much of each text as a card may need, or as is asked for. */
export async function newestStories(
  db: Database,
  count: number,
  textLength = cardTextLength,
): Promise<ReaderStory[]> {
  const rows = await db
    .select({
      id,
      slug,
      title,
      story: sql<string>`left(${story}, ${textLength})`,
      name,
      category,
      day,
    })
    .from(storySubmissions)
    .where(isApproved)
    .orderBy(desc(day), desc(decidedAt))
    .limit(count);
  return addImages(db, rows);
}

export async function approvedStory(db: Database, wanted: string): Promise<ReaderStory | null> {
  const rows = await db
    .select({ id, slug, title, story, name, category, day })
    .from(storySubmissions)
    .where(and(isApproved, eq(slug, wanted)));
  return (await addImages(db, rows))[0] ?? null;
}

type Row = Omit<ReaderStory, "images" | "slug" | "category" | "day"> & {
  id: string;
  slug: string | null;
  category: string | null;
  day: string | null;
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
  return rows.map(({ id: ownId, slug, category, day, ...row }) => ({
    ...row,
    slug: slug ?? "",
    category: category ?? "",
    day: day ?? "",
    images: images
      .filter((image) => image.storyId === ownId)
      .map(({ id, width, height, alt }) => ({ file: imagePath(id), width, height, alt })),
  }));
}

const imagePath = (id: string) => `/pictures/${id}.webp`;

/**
 * For a day: a picture never changes, but one that is taken off the site has to leave browsers and
 * caches too.
 */
const cacheForOneDay = "public, max-age=86400";

/**
 * A picture of a story that is shown. One that waits has no address that anybody could guess, and
 * no answer.
 */
export async function readerImageResponse(
  db: Database,
  file: string,
  ifNoneMatch: string | null,
): Promise<Response> {
  const [, wanted] = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.webp$/.exec(file) ?? [];
  const [found] = wanted
    ? await db
        .select({ bytes: storyImages.bytes })
        .from(storyImages)
        .innerJoin(storySubmissions, eq(storyImages.story, storySubmissions.id))
        .where(and(eq(storyImages.id, wanted), eq(state, "approved")))
    : [];
  if (!found) return new Response("This picture is not there.\n", { status: 404 });
  const etag = `"${wanted}"`;
  const headers = {
    ETag: etag,
    "Content-Type": "image/webp",
    "Cache-Control": cacheForOneDay,
    "Cross-Origin-Resource-Policy": "cross-origin",
  };
  if (matchesEtag(ifNoneMatch, etag)) return new Response(null, { status: 304, headers });
  return new Response(new Uint8Array(found.bytes), { headers });
}
