import { and, asc, eq, inArray, notInArray, sql } from "drizzle-orm";
import type { Database } from "../../../../db/database.ts";
import type { Clock } from "../../../lib/dates.ts";
import type { Services } from "../../../platform/services.ts";
import { cacheTags, purge } from "../../../platform/tags.ts";
import { assignSlugAndDates, clearTitles, rememberTitle } from "../remembered.server.ts";
import { type StoryRow, storyImages, storySubmissions } from "../schema.server.ts";

const { id, width, height, alt, bytes } = storyImages;

/** The images of a story without their bytes, which can be several megabytes. */
export const listStoryImages = (db: Database, storyId: string) =>
  db
    .select({ id, alt })
    .from(storyImages)
    .where(eq(storyImages.storyId, storyId))
    .orderBy(asc(storyImages.position));

export const readStoryImages = (db: Database, storyId: string) =>
  db
    .select({ id, width, height, alt, bytes })
    .from(storyImages)
    .where(eq(storyImages.storyId, storyId))
    .orderBy(asc(storyImages.position));

/** What readers will see of a story that is approved. */
export type StoryEdit = {
  title: string;
  text: string;
  category: string;
  /** The ids and descriptions of the images to show; all other images are deleted. */
  images: { id: string; alt: string }[];
};

type ApprovalServices = Pick<Services, "clock" | "site">;

/**
 * Publishes locked stories with these edits, by id, and deletes the senders' email addresses. A
 * story of the desk has no edit: it is published as it is.
 */
export async function approveStories(
  tx: Database,
  services: ApprovalServices,
  stories: StoryRow[],
  edits: Map<string, StoryEdit>,
): Promise<{ id: string; state: "approved"; slug: string }[]> {
  if (stories.length === 0) return [];
  const approved = [];
  for (const story of stories)
    approved.push(await approveStory(tx, services, story, edits.get(story.id)));
  await purge(tx, [cacheTags.stories]);
  return approved;
}

async function approveStory(
  tx: Database,
  { clock, site }: ApprovalServices,
  story: StoryRow,
  edit: StoryEdit | undefined,
) {
  const { id } = story;
  const { title, text, category } = edit ?? story;
  const at = clock();
  const published = await assignSlugAndDates(tx, site, story, title, at);
  await tx
    .update(storySubmissions)
    .set({
      title,
      text,
      category,
      ...published,
      email: "",
      typed: null,
      state: "approved",
      decidedAt: at,
    })
    .where(eq(storySubmissions.id, id));
  await rememberTitle(tx, published.slug, title, at);
  if (edit) await showImages(tx, id, edit.images);
  return { id, state: "approved" as const, slug: published.slug };
}

/** Deletes the other images of the story. */
async function showImages(tx: Database, story: string, shown: { id: string; alt: string }[]) {
  const ids = shown.map((image) => image.id);
  await tx
    .delete(storyImages)
    .where(and(eq(storyImages.storyId, story), notInArray(storyImages.id, ids)));
  for (const { id, alt } of shown)
    await tx.update(storyImages).set({ alt }).where(eq(storyImages.id, id));
}

/**
 * Rejects locked stories. One that was approved disappears from the site. What was written at the
 * desk is only taken down, so that it is not deleted later: its editors can publish it again.
 */
export async function rejectStories(
  tx: Database,
  clock: Clock,
  stories: StoryRow[],
): Promise<Pick<StoryRow, "id" | "state">[]> {
  if (stories.length === 0) return [];
  const { id, state, writtenBy } = storySubmissions;
  const ids = stories.map((story) => story.id);
  const slugs = stories.flatMap(({ slug }) => slug ?? []);
  const rejected = await tx
    .update(storySubmissions)
    .set({
      state: sql`case ${writtenBy} when 'desk' then 'down' else 'rejected' end`,
      decidedAt: clock(),
      name: "",
      email: "",
      typed: null,
    })
    .where(inArray(id, ids))
    .returning({ id, state });
  await clearTitles(tx, slugs);
  await purge(tx, [cacheTags.stories]);
  return rejected;
}
