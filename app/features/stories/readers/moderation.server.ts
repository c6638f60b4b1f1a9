import { and, asc, count, eq, inArray, notInArray, sql } from "drizzle-orm";
import type { Database } from "../../../../db/database.ts";
import type { Clock } from "../../../lib/dates.ts";
import { toSlug } from "../../../lib/text/slug.ts";
import type { Services } from "../../../platform/services.ts";
import { cacheTags, purgePages } from "../../../platform/tags.ts";
import type { StoryImage } from "./images.server.ts";
import { storyImages, storySubmissions } from "./schema.server.ts";

type Submission = typeof storySubmissions.$inferSelect & { imageCount: number };

/** Those of an editor's list, the oldest first. */
export async function listStories(
  db: Database,
  states: Submission["state"][],
): Promise<Submission[]> {
  const stories = await db
    .select()
    .from(storySubmissions)
    .where(inArray(storySubmissions.state, states))
    .orderBy(asc(storySubmissions.createdAt));
  const counts = await db
    .select({ story: storyImages.story, imageCount: count() })
    .from(storyImages)
    .groupBy(storyImages.story);
  const byStory = new Map(counts.map(({ story, imageCount }) => [story, imageCount]));
  return stories.map((story) => ({ ...story, imageCount: byStory.get(story.id) ?? 0 }));
}

/**
 * The story whose page has this name, or the stories whose id begins like this: one, if the editor
 * has typed enough.
 */
export async function findStories(
  db: Database,
  name: string,
): Promise<(typeof storySubmissions.$inferSelect)[]> {
  const { id, slug } = storySubmissions;
  const named = await db.select().from(storySubmissions).where(eq(slug, name));
  if (named.length > 0 || !/^[0-9a-f-]{1,36}$/i.test(name)) return named;
  return db
    .select()
    .from(storySubmissions)
    .where(sql`${id}::text like ${`${name.toLowerCase()}%`}`)
    .orderBy(asc(storySubmissions.createdAt));
}

export function readStoryImages(
  db: Database,
  story: string,
): Promise<(StoryImage & { id: string })[]> {
  const { id, width, height, alt, bytes, position } = storyImages;
  return db
    .select({ id, width, height, alt, bytes })
    .from(storyImages)
    .where(eq(storyImages.story, story))
    .orderBy(asc(position));
}

/** What an editor changes when approving. What is not said stays as the reader sent it. */
type Edit = {
  title?: string | undefined;
  text?: string | undefined;
  category: string;
  /** The ids of the pictures to show, with their words; the others are deleted. */
  images: { id: string; alt: string }[];
};

/** The day of the city, and the names below /news/ that files have. */
type Approval = Pick<Services, "clock"> & { day: string; fileNames: Set<string> };

/** Shows a story. Its pages are made anew at once, on every node, and whom to ask is forgotten. */
export async function approveStory(
  db: Database,
  { clock, day, fileNames }: Approval,
  id: string,
  { title, text, category, images: pictures }: Edit,
): Promise<string> {
  return db.transaction(async (tx) => {
    const [story] = await tx.select().from(storySubmissions).where(eq(storySubmissions.id, id));
    if (!story) throw new Error(`The story ${id} went away while it was approved.`);
    const slug = story.slug ?? (await findFreeSlug(tx, title ?? story.title, fileNames));
    await tx
      .update(storySubmissions)
      .set({
        title: title ?? story.title,
        story: text ?? story.story,
        category,
        slug,
        email: "",
        // One that was taken off and comes back keeps its day.
        state: "approved",
        day: story.day ?? day,
        decidedAt: clock(),
      })
      .where(eq(storySubmissions.id, id));
    const shown = pictures.map((picture) => picture.id);
    await tx
      .delete(storyImages)
      .where(
        and(
          eq(storyImages.story, id),
          shown.length > 0 ? notInArray(storyImages.id, shown) : undefined,
        ),
      );
    for (const { id: picture, alt } of pictures)
      await tx.update(storyImages).set({ alt }).where(eq(storyImages.id, picture));
    await purgePages(tx, [cacheTags.stories]);
    return slug;
  });
}

/**
 * Removes stories from the site, or never shows them, and forgets who sent them. False, and no
 * change, when one is missing.
 */
export async function rejectStories(db: Database, clock: Clock, ids: string[]): Promise<boolean> {
  return db.transaction(async (tx) => {
    const known = await tx
      .select({ id: storySubmissions.id })
      .from(storySubmissions)
      .where(inArray(storySubmissions.id, ids))
      .for("update");
    if (known.length < ids.length) return false;
    await tx
      .update(storySubmissions)
      .set({ state: "rejected", decidedAt: clock(), name: "", email: "" })
      .where(inArray(storySubmissions.id, ids));
    await purgePages(tx, [cacheTags.stories]);
    return true;
  });
}

const maxSlugLength = 60;

/** A name for the story's page that no file and no other story has. */
async function findFreeSlug(tx: Database, title: string, fileNames: Set<string>): Promise<string> {
  const base = toSlug(title).slice(0, maxSlugLength).replace(/-$/, "") || "story";
  for (let turn = 1; ; turn += 1) {
    const slug = turn === 1 ? base : `${base}-${turn}`;
    const [other] = await tx
      .select({ id: storySubmissions.id })
      .from(storySubmissions)
      .where(eq(storySubmissions.slug, slug));
    if (!other && !fileNames.has(slug)) return slug;
  }
}
