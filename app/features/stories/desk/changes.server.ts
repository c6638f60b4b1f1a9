import { and, eq, ne } from "drizzle-orm";
import type { Database } from "../../../../db/database.ts";
import { cacheTags, purgePages } from "../../../platform/tags.ts";
import type { Correction } from "../../../site-files/article-fields.server.ts";
import { addFileCorrection, changeFileNote } from "../../file-notes/notes.server.ts";
import { rememberTitle } from "../published.server.ts";
import { type StoryRow, storySubmissions } from "../readers/schema.server.ts";
import { publishedStories } from "../schema.server.ts";

/** A story that is a row, which is locked, or a file, beside which the changes are stored. */
export type ChangedStory = { row: StoryRow } | { file: string };

async function changeRow(tx: Database, { id }: StoryRow, values: Partial<StoryRow>): Promise<void> {
  await tx.update(storySubmissions).set(values).where(eq(storySubmissions.id, id));
  await purgePages(tx, [cacheTags.stories]);
}

const slugOf = (story: ChangedStory) => ("file" in story ? story.file : (story.row.slug ?? ""));

/**
 * Takes a story off the site. Its path is remembered and answers "gone", but its title is not
 * suggested to anybody.
 */
export async function takeDownStory(tx: Database, story: ChangedStory, at: Date): Promise<void> {
  if ("file" in story) await changeFileNote(tx, "story", story.file, { isDown: true });
  else await changeRow(tx, story.row, { state: "down", decidedAt: at });
  await rememberTitle(tx, slugOf(story), "", at);
}

export async function publishStoryAgain(
  tx: Database,
  story: ChangedStory & { title: string },
  at: Date,
): Promise<void> {
  if ("file" in story) await changeFileNote(tx, "story", story.file, { isDown: false });
  else await changeRow(tx, story.row, { state: "approved", decidedAt: at });
  await rememberTitle(tx, slugOf(story), story.title, at);
}

/** Readers get "not found" until the story is published again. */
export const makeDraftAgain = (tx: Database, row: StoryRow, at: Date): Promise<void> =>
  changeRow(tx, row, { state: "draft", decidedAt: at });

export const pinStory = (tx: Database, story: ChangedStory, isPinned: boolean): Promise<void> =>
  "file" in story
    ? changeFileNote(tx, "story", story.file, { isPinned })
    : changeRow(tx, story.row, { isPinned });

/** Readers see entries appear, or that the story is no longer updated. */
export const setStoryLive = (tx: Database, row: StoryRow, live: boolean): Promise<void> =>
  changeRow(tx, row, { live });

export const correctStory = (
  tx: Database,
  story: ChangedStory,
  correction: Correction,
  at: Date,
): Promise<void> =>
  "file" in story
    ? addFileCorrection(tx, "story", story.file, correction)
    : changeRow(tx, story.row, {
        corrections: [...story.row.corrections, correction],
        decidedAt: at,
      });

/**
 * Moves a story to another path. Returns false if another story has, or had, that path. A story may
 * get a path back that it had itself: `ownSlugs` are those that are redirected to it.
 */
export async function renameStory(
  tx: Database,
  row: StoryRow,
  { slug, ownSlugs, at }: { slug: string; ownSlugs: string[]; at: Date },
): Promise<boolean> {
  const isTaken =
    (!ownSlugs.includes(slug) &&
      (await tx.$count(publishedStories, eq(publishedStories.id, slug))) > 0) ||
    (await tx.$count(
      storySubmissions,
      and(eq(storySubmissions.slug, slug), ne(storySubmissions.id, row.id)),
    )) > 0;
  if (isTaken) return false;
  await changeRow(tx, row, { slug, decidedAt: at });
  // The old path is only a redirect now, so it must not be suggested as the place of the story.
  await rememberTitle(tx, row.slug ?? slug, "", at);
  await rememberTitle(tx, slug, row.title, at);
  return true;
}
