import { and, asc, count, eq, inArray, notInArray, sql } from "drizzle-orm";
import { unionAll } from "drizzle-orm/pg-core";
import type { Database } from "../../../../db/database.ts";
import { toSlug } from "../../../lib/text/slug.ts";
import type { Services } from "../../../platform/services.ts";
import { cacheTags, purgePages } from "../../../platform/tags.ts";
import { siteSettingsFile } from "../../brand/files.server.ts";
import {
  areUnchanged,
  type Listed,
  type NotifiedSenders,
  notifySenders,
} from "../../forms/decisions.server.ts";
import { publishedStories } from "../schema.server.ts";
import type { StoryImage } from "./images.server.ts";
import { storyImages, storySubmissions } from "./schema.server.ts";

type Submission = typeof storySubmissions.$inferSelect & { imageCount: number };

/** The stories in the given states, oldest first. */
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
 * Finds the story with this slug, or all stories whose id starts with this string. Only one story
 * matches if the editor has typed enough of the id.
 */
export async function findStories(
  db: Database,
  idOrSlug: string,
): Promise<(typeof storySubmissions.$inferSelect)[]> {
  const { id, slug } = storySubmissions;
  const bySlug = await db.select().from(storySubmissions).where(eq(slug, idOrSlug));
  if (bySlug.length > 0 || !/^[0-9a-f-]{1,36}$/i.test(idOrSlug)) return bySlug;
  return db
    .select()
    .from(storySubmissions)
    .where(sql`${id}::text like ${`${idOrSlug.toLowerCase()}%`}`)
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

/**
 * An editor's changes to a story. Without a new title or text, the reader's own stays.
 */
type Edit = Listed & {
  title?: string | undefined;
  text?: string | undefined;
  category: string;
  /** The ids and descriptions of the images to show; all other images are deleted. */
  images: { id: string; alt: string }[];
};

/** `day` is today in the city. `fileNames` are the slugs that the newsroom's own stories use. */
type Approval = Pick<Services, "clock" | "site"> & { day: string; fileNames: Set<string> };

type Published = { id: string; slug: string; url: string };

/**
 * Publishes stories, all of them or none, and tells the readers who sent them. Deletes the readers'
 * email addresses, and purges the pages with stories from the cache of every node.
 */
export async function approveStories(
  db: Database,
  approval: Approval,
  edits: Edit[],
): Promise<{ published: Published[]; senders: NotifiedSenders } | null> {
  const { origin } = approval.site.read(siteSettingsFile);
  return db.transaction(async (tx) => {
    if (!areUnchanged(edits, await lockStories(tx, edits))) return null;
    const published = [];
    for (const edit of edits) {
      const story = await approveStory(tx, approval, edit);
      published.push({ ...story, url: `${origin}/news/${story.slug}` });
    }
    const senders = await notifySenders(
      { db: tx, ...approval },
      "story",
      published.map(({ email, title, url }) => ({ kind: "published", email, title, page: url })),
    );
    return { published, senders };
  });
}

async function approveStory(
  tx: Database,
  { clock, day, fileNames }: Approval,
  { id, title, text, category, images }: Edit,
) {
  const [story] = await tx
    .select()
    .from(storySubmissions)
    .where(eq(storySubmissions.id, id))
    .for("update");
  if (!story) throw new Error(`The story ${id} was deleted while it was being approved.`);
  const slug = story.slug ?? (await findFreeSlug(tx, title ?? story.title, fileNames));
  await tx
    .update(storySubmissions)
    .set({
      title: title ?? story.title,
      story: text ?? story.story,
      category,
      slug,
      email: "",
      state: "approved",
      // A story that was rejected and is approved again keeps its first date.
      day: story.day ?? day,
      publishedAt: story.publishedAt ?? clock(),
      decidedAt: clock(),
    })
    .where(eq(storySubmissions.id, id));
  await tx
    .insert(publishedStories)
    .values({ id: slug, title: title ?? story.title, noticedAt: clock() })
    // When the story was removed, its title was deleted.
    .onConflictDoUpdate({ target: publishedStories.id, set: { title: title ?? story.title } });
  const shownIds = images.map((image) => image.id);
  await tx
    .delete(storyImages)
    .where(
      and(
        eq(storyImages.story, id),
        shownIds.length > 0 ? notInArray(storyImages.id, shownIds) : undefined,
      ),
    );
  for (const { id: imageId, alt } of images)
    await tx.update(storyImages).set({ alt }).where(eq(storyImages.id, imageId));
  await purgePages(tx, [cacheTags.stories]);
  return { id, slug, title: title ?? story.title, email: story.email };
}

function lockStories(tx: Database, listed: Listed[]) {
  const { id, slug, title, email, state } = storySubmissions;
  const ids = listed.map((story) => story.id);
  return tx
    .select({ id, slug, title, email, state })
    .from(storySubmissions)
    .where(inArray(id, ids))
    .for("update");
}

/**
 * Rejects stories, which also removes approved ones from the site, and deletes the names and email
 * addresses of their authors, who get an email if there is a reason. If one of the stories does
 * not exist, or somebody else has just decided about it, returns null and changes nothing.
 */
export async function rejectStories(
  db: Database,
  { clock, site }: Pick<Services, "clock" | "site">,
  listed: Listed[],
  reason?: string,
): Promise<NotifiedSenders | null> {
  const ids = listed.map(({ id }) => id);
  return db.transaction(async (tx) => {
    const stories = await lockStories(tx, listed);
    if (!areUnchanged(listed, stories)) return null;
    await tx
      .update(storySubmissions)
      .set({ state: "rejected", decidedAt: clock(), name: "", email: "" })
      .where(inArray(storySubmissions.id, ids));
    // The URL of a removed story is remembered, but not its title.
    const slugs = stories.flatMap(({ slug }) => slug ?? []);
    if (slugs.length > 0)
      await tx
        .update(publishedStories)
        .set({ title: "" })
        .where(inArray(publishedStories.id, slugs));
    await purgePages(tx, [cacheTags.stories]);
    return notifySenders(
      { db: tx, clock, site },
      "story",
      stories.map((story) => ({ kind: "rejected", ...story, reason })),
    );
  });
}

const maxSlugLength = 60;

/** A slug that no file and no other story uses, or has used before. */
async function findFreeSlug(tx: Database, title: string, fileNames: Set<string>): Promise<string> {
  const base = toSlug(title).slice(0, maxSlugLength).replace(/-$/, "") || "story";
  for (let attempt = 1; ; attempt += 1) {
    const slug = attempt === 1 ? base : `${base}-${attempt}`;
    const published = tx
      .select({ found: sql`1` })
      .from(publishedStories)
      .where(eq(publishedStories.id, slug));
    const approved = tx
      .select({ found: sql`1` })
      .from(storySubmissions)
      .where(eq(storySubmissions.slug, slug));
    const others = await unionAll(published, approved);
    if (others.length === 0 && !fileNames.has(slug)) return slug;
  }
}
