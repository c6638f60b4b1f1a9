import { and, eq, inArray } from "drizzle-orm";
import { insertRows, updateRows } from "../../../db/bulk.ts";
import type { Database } from "../../../db/database.ts";
import { readShared } from "../../../db/shared-reads.ts";
import { calendarDay } from "../../lib/dates.ts";
import { findNearest } from "../../lib/text/nearest.ts";
import { findFreeSlug } from "../../lib/text/slug.ts";
import type { Services } from "../../platform/services.ts";
import { cacheTags, purge } from "../../platform/tags.ts";
import { siteSettingsFile } from "../brand/files.server.ts";
import { approvedStories } from "./approved.server.ts";
import { newsFolder } from "./files.server.ts";
import { storyPath } from "./model.ts";
import { rememberedStories, type StoryRow, storySubmissions } from "./schema.server.ts";
import {
  listFileStoriesAndDrafts,
  listPublishedFileStories,
  rememberedBySlug,
  type StoryServices,
} from "./stories.server.ts";

/**
 * Remembers which file stories are published, and when the site first saw each of them. If there is
 * a new one, such as a scheduled story that is due, purges the pages with stories on every node.
 */
export async function rememberPublished(services: StoryServices) {
  const { db, clock } = services;
  const remembered = await readShared(db, rememberedBySlug);
  const noticedAt = clock();
  const changed = (await listPublishedFileStories(services))
    .filter(({ slug, title }) => remembered.get(slug)?.title !== title)
    .map(({ slug, title }) => ({ slug, title, noticedAt }));
  if (changed.length === 0) return;
  await db.transaction(async (tx) => {
    // Another node may have seen a story first, so its time stays.
    await insertRows(tx, rememberedStories, changed);
    const titles = changed.map(({ slug, title }) => ({ slug, title }));
    await updateRows(tx, rememberedStories, ["slug"], titles);
    await purge(tx, [cacheTags.stories]);
  });
}

/**
 * Chooses the slug and the dates of a story that is published now, for the caller to store. A story
 * that was published before keeps its own. No file and no other story has, or had, the slug of a
 * new one.
 */
export async function assignSlugAndDates(
  tx: Database,
  site: Services["site"],
  row: StoryRow | null,
  title: string,
  at: Date,
) {
  const isTaken = async (slug: string) => {
    const remembered = await tx.$count(rememberedStories, eq(rememberedStories.slug, slug));
    const stored = await tx.$count(storySubmissions, eq(storySubmissions.slug, slug));
    return remembered + stored > 0 || site.names(newsFolder).includes(slug);
  };
  return {
    slug: row?.slug ?? (await findFreeSlug(title, "story", isTaken)),
    day: row?.day ?? calendarDay(at, site.read(siteSettingsFile).timeZone),
    publishedAt: row?.publishedAt ?? at,
  };
}

/**
 * Remembers that readers could read a story with this title at this path. Pass "" if the path must
 * not be suggested anymore.
 */
export const rememberTitle = (tx: Database, slug: string, title: string, at: Date) =>
  tx
    .insert(rememberedStories)
    .values({ slug, title, noticedAt: at })
    .onConflictDoUpdate({ target: rememberedStories.slug, set: { title } });

/** Keeps the paths, so that the URLs of removed stories answer 410, but forgets the titles. */
export const clearTitles = (tx: Database, slugs: string[]) =>
  tx.update(rememberedStories).set({ title: "" }).where(inArray(rememberedStories.slug, slugs));

/**
 * Returns 410 (gone) if readers could once read a story at this path, unless the story is a draft
 * again or scheduled.
 */
export async function missingStoryStatus(
  services: Pick<Services, "site" | "db">,
  slug: string,
): Promise<404 | 410> {
  const isDraft = and(eq(storySubmissions.slug, slug), eq(storySubmissions.state, "draft"));
  const isDraftOrScheduled =
    (await listFileStoriesAndDrafts(services)).some((record) => record.slug === slug) ||
    (await services.db.$count(storySubmissions, isDraft)) > 0;
  const isGone = !isDraftOrScheduled && (await readShared(services.db, rememberedBySlug)).has(slug);
  return isGone ? 410 : 404;
}

/**
 * Suggests where the story of a missing path is now: a story that has the same title, otherwise the
 * one with the most similar path.
 */
export async function suggestStoryPath(path: string, services: StoryServices) {
  const [, slug] = /^\/news\/([^/]+)$/.exec(path) ?? [];
  if (slug === undefined) return null;
  const storedStories = await readShared(services.db, approvedStories);
  const stories = [...(await listPublishedFileStories(services)), ...storedStories];
  const lastTitle = (await readShared(services.db, rememberedBySlug)).get(slug)?.title;
  const renamed = lastTitle ? stories.find(({ title }) => title === lastTitle) : undefined;
  const slugs = stories.map((story) => story.slug);
  const suggestion = renamed?.slug ?? findNearest(slug, slugs);
  return suggestion === undefined ? null : storyPath(suggestion);
}
