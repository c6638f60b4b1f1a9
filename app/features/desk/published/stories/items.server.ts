import { inArray } from "drizzle-orm";
import { siteSettingsFile } from "../../../brand/files.server.ts";
import { readFileNotes } from "../../../file-notes/notes.server.ts";
import { everPublishedStates } from "../../../stories/desk/rows.server.ts";
import { newsFolder } from "../../../stories/files.server.ts";
import { type StoryRow, storySubmissions } from "../../../stories/readers/schema.server.ts";
import { isPublished, recordFromFile } from "../../../stories/record.server.ts";
import type { PublishedKind } from "../kind.ts";
import type { ItemState, LiveState } from "../model.ts";

/** What editors see. The desk lists no stories that wait or were rejected among the published ones. */
export const storyStates: Record<StoryRow["state"], ItemState> = {
  approved: "published",
  down: "down",
  draft: "draft",
  waiting: "draft",
  rejected: "down",
};

export const toLiveState = (live: boolean | null): LiveState =>
  live === null ? "off" : live ? "live" : "over";

export const toFileName = (slug: string) => `${newsFolder.folder}/${slug}.md`;

/** The stories in the database and in files. A row at the path of a file wins. */
export const listStories: PublishedKind["list"] = async ({ db, site, clock }) => {
  const { slug, title, publishedAt, state, isPinned, live, origin } = storySubmissions;
  const rows = await db
    .select({ slug, title, publishedAt, state, isPinned, live, origin })
    .from(storySubmissions)
    .where(inArray(state, everPublishedStates));
  const notes = await readFileNotes(db, "story");
  const { timeZone } = site.read(siteSettingsFile);
  const stored = rows.map((row) => ({
    kind: "story" as const,
    id: row.slug ?? "",
    title: row.title,
    at: row.publishedAt ?? new Date(0),
    state: storyStates[row.state],
    isPinned: row.isPinned,
    isLive: row.live === true,
    from: row.origin === "reader" ? "From a reader" : "From the desk",
  }));
  const approved = new Set(stored.filter((item) => item.state === "published").map(({ id }) => id));
  const now = clock();
  const files = site
    .readAll(newsFolder)
    .map((file) => recordFromFile(file, timeZone))
    .filter((record) => isPublished(record, now) && !approved.has(record.id))
    .map((record) => {
      const note = notes.get(record.id);
      return {
        kind: "story" as const,
        id: record.id,
        title: record.title,
        at: record.publishedAt,
        state: note?.isDown ? ("down" as const) : ("published" as const),
        isPinned: record.isPinned || (note?.isPinned ?? false),
        isLive: record.live?.isLive === true,
        from: toFileName(record.id),
      };
    });
  return [...stored, ...files];
};
