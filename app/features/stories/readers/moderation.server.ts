import { and, asc, eq, getTableColumns, inArray, notInArray, sql } from "drizzle-orm";
import type { Database } from "../../../../db/database.ts";
import { lockRows } from "../../../../db/rows.ts";
import { calendarDay } from "../../../lib/dates.ts";
import { isIdPrefix } from "../../../lib/newsroom/selection.ts";
import { findFreeSlug } from "../../../lib/text/slug.ts";
import { cacheTags, purge } from "../../../platform/tags.ts";
import { siteSettingsFile } from "../../brand/files.server.ts";
import {
  type DecisionServices,
  type Listed,
  type NotifiedSenders,
  notifySenders,
  requireUnchanged,
  stateAfterRejection,
} from "../../forms/decisions.server.ts";
import { storyPath } from "../model.ts";
import { clearTitles, rememberTitle } from "../published.server.ts";
import {
  everPublishedStories,
  type StoryRow,
  storyImages,
  storySubmissions,
} from "../schema.server.ts";

type ListedStory = StoryRow & { imageCount: number };

export const listStories = (db: Database, states: StoryRow["state"][]): Promise<ListedStory[]> =>
  db
    .select({
      ...getTableColumns(storySubmissions),
      imageCount: db.$count(storyImages, eq(storyImages.storyId, storySubmissions.id)),
    })
    .from(storySubmissions)
    .where(inArray(storySubmissions.state, states))
    .orderBy(asc(storySubmissions.createdAt));

/**
 * Finds the story with this slug. If no story has it, finds all stories whose id starts with this
 * string.
 */
export async function findStories(db: Database, idOrSlug: string): Promise<StoryRow[]> {
  const { id, slug } = storySubmissions;
  const bySlug = await db.select().from(storySubmissions).where(eq(slug, idOrSlug));
  if (bySlug.length > 0 || !isIdPrefix(idOrSlug)) return bySlug;
  return db
    .select()
    .from(storySubmissions)
    .where(sql`${id}::text like ${`${idOrSlug.toLowerCase()}%`}`)
    .orderBy(asc(storySubmissions.createdAt));
}

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

/** Without a new title or text, the reader's own stays. */
type Edit = Listed & {
  title?: string | undefined;
  text?: string | undefined;
  category: string;
  /** The ids and descriptions of the images to show; all other images are deleted. */
  images: { id: string; alt: string }[];
};

/** `fileNames` are the names of all files of stories, also of those with mistakes. */
type ApprovalServices = DecisionServices & { fileNames: string[] };

/** Approves all stories or none, emails the senders, and deletes their email addresses. */
export async function approveStories(db: Database, services: ApprovalServices, edits: Edit[]) {
  const { origin } = services.site.read(siteSettingsFile);
  return db.transaction(async (tx) => {
    const ids = edits.map(({ id }) => id);
    const stories = await lockRows(tx, storySubmissions, inArray(storySubmissions.id, ids));
    requireUnchanged(edits, stories, "stories");
    const published = [];
    for (const edit of edits) {
      const story = stories.find(({ id }) => id === edit.id);
      if (!story) continue;
      const approved = await approveStory(tx, services, story, edit);
      published.push({ ...approved, url: `${origin}${storyPath(approved.slug)}` });
    }
    await purge(tx, [cacheTags.stories]);
    const senders = await notifySenders(
      { ...services, db: tx },
      "story",
      published.map(({ email, title, url }) => ({ kind: "published", email, title, page: url })),
    );
    return { published, senders };
  });
}

async function approveStory(
  tx: Database,
  { clock, site, fileNames }: ApprovalServices,
  story: StoryRow,
  { id, title = story.title, text = story.text, category, images }: Edit,
) {
  const slug = story.slug ?? (await findStorySlug(tx, title, fileNames));
  await tx
    .update(storySubmissions)
    .set({
      title,
      text,
      category,
      slug,
      email: "",
      typed: null,
      state: "approved",
      // A story that was rejected and is approved again keeps its first date.
      day: story.day ?? calendarDay(clock(), site.read(siteSettingsFile).timeZone),
      publishedAt: story.publishedAt ?? clock(),
      decidedAt: clock(),
    })
    .where(eq(storySubmissions.id, id));
  await rememberTitle(tx, slug, title, clock());
  const shownIds = images.map((image) => image.id);
  await tx
    .delete(storyImages)
    .where(
      and(
        eq(storyImages.storyId, id),
        shownIds.length > 0 ? notInArray(storyImages.id, shownIds) : undefined,
      ),
    );
  for (const { id: imageId, alt } of images)
    await tx.update(storyImages).set({ alt }).where(eq(storyImages.id, imageId));
  return { id, slug, title, email: story.email };
}

/**
 * An approved story that is rejected disappears from the site. Authors get an email only if there
 * is a reason.
 */
export async function rejectStories(
  db: Database,
  services: DecisionServices,
  listed: Listed[],
  reason?: string,
): Promise<{ rejected: Listed[]; senders: NotifiedSenders }> {
  const ids = listed.map(({ id }) => id);
  return db.transaction(async (tx) => {
    const stories = await lockRows(tx, storySubmissions, inArray(storySubmissions.id, ids));
    requireUnchanged(listed, stories, "stories");
    const rejected = await tx
      .update(storySubmissions)
      .set({
        state: stateAfterRejection(storySubmissions.origin),
        decidedAt: services.clock(),
        name: "",
        email: "",
        typed: null,
      })
      .where(inArray(storySubmissions.id, ids))
      .returning({ id: storySubmissions.id, state: storySubmissions.state });
    const slugs = stories.flatMap(({ slug }) => slug ?? []);
    await clearTitles(tx, slugs);
    await purge(tx, [cacheTags.stories]);
    const senders = await notifySenders(
      { ...services, db: tx },
      "story",
      stories.map((story) => ({ kind: "rejected", ...story, reason })),
    );
    return { rejected, senders };
  });
}

/** A slug that no file and no other story uses, or has used before. */
export const findStorySlug = (tx: Database, title: string, fileNames: string[]) =>
  findFreeSlug(title, "story", async (slug) => {
    const remembered = await tx.$count(everPublishedStories, eq(everPublishedStories.id, slug));
    const stored = await tx.$count(storySubmissions, eq(storySubmissions.slug, slug));
    return remembered + stored > 0 || fileNames.includes(slug);
  });
