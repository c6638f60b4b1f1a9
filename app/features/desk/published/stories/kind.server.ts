import { and, eq, like } from "drizzle-orm";
import { daysBefore, localTimestamp } from "../../../../lib/dates.ts";
import type { Services } from "../../../../platform/services.ts";
import { siteSettingsFile } from "../../../brand/files.server.ts";
import { changeFileNote, readFileNotes } from "../../../file-notes/notes.server.ts";
import { redirects } from "../../../redirects/schema.server.ts";
import {
  type ChangedStory,
  correctStory,
  makeDraftAgain,
  pinStory,
  publishStoryAgain,
  renameStory,
  setStoryLive,
  takeDownStory,
} from "../../../stories/desk/changes.server.ts";
import { renderStoryText } from "../../../stories/desk/render.server.ts";
import {
  findStoryRow,
  lockStory,
  readFields,
  storyFields,
} from "../../../stories/desk/rows.server.ts";
import { newsFolder } from "../../../stories/files.server.ts";
import { listEntries } from "../../../stories/live/entries.server.ts";
import { rejectedRetentionDays } from "../../../stories/readers/model.ts";
import type { StoryRow } from "../../../stories/readers/schema.server.ts";
import { isPublished, recordFromFile } from "../../../stories/record.server.ts";
import type { DeskItem, PublishedKind } from "../kind.ts";
import { toPublicPath } from "../model.ts";
import { publishStory } from "../publish.server.ts";
import { listStories, storyStates, toFileName, toLiveState } from "./items.server.ts";

export const storyKind: PublishedKind = {
  list: listStories,
  /** A published row at the path of a file wins. */
  async find(services, slug) {
    const { timeZone } = services.site.read(siteSettingsFile);
    const row = await findStoryRow(services.db, { slug });
    if (row?.state === "approved") return fromRow(row, timeZone);
    return (await findFile(services, slug)) ?? (row && fromRow(row, timeZone));
  },
  async lock({ clock, site }, tx, { id: slug, rowId, title, corrections }) {
    const row = rowId === null ? null : await lockStory(tx, rowId);
    if (rowId !== null && row?.slug !== slug) return null;
    const story: ChangedStory = row ? { row } : { file: slug };
    const at = clock();
    return {
      corrections: row?.corrections ?? corrections ?? [],
      async setState(state) {
        // Otherwise a file at the same path, such as an exported one, would take the row's place.
        if (row && state !== "published" && site.names(newsFolder).includes(slug))
          await changeFileNote(tx, "story", slug, { isDown: true });
        if (state === "down") return takeDownStory(tx, story, at);
        if (state === "draft" && row) return makeDraftAgain(tx, row, at);
        return publishStoryAgain(tx, { ...story, title }, at);
      },
      pin: (isPinned) => pinStory(tx, story, isPinned),
      async correct(correction) {
        const before = row && {
          fields: await readFields(tx, row),
          at: row.updatedAt ?? row.publishedAt ?? at,
        };
        await correctStory(tx, story, correction, at);
        return before;
      },
      ...(row?.origin === "desk" && {
        setLive: (isLive: boolean) => setStoryLive(tx, row, isLive),
      }),
      ...(row && {
        async rename(newSlug: string) {
          const folder = toPublicPath("story", "");
          const own = await tx
            .select({ path: redirects.oldPath })
            .from(redirects)
            .where(
              and(eq(redirects.newPath, folder + slug), like(redirects.oldPath, `${folder}%`)),
            );
          const ownSlugs = own.map(({ path }) => path.slice(folder.length));
          return renameStory(tx, row, { slug: newSlug, ownSlugs, at });
        },
      }),
    };
  },
  folder: newsFolder,
  showVersion(stored) {
    const { title, excerpt, text, category, authors } = storyFields.parse(stored);
    return { title, excerpt, text, facts: [category, ...authors] };
  },
  async restore(services, rowId, stored, { action, editor }) {
    const version = storyFields.parse(stored);
    const html = await renderStoryText(services, version.text);
    return services.db.transaction(async (tx) => {
      const row = await lockStory(tx, rowId);
      if (!row) return "Somebody has deleted this story.";
      const { corrections, isPinned, live, state } = row;
      const fields = { ...version, corrections, isPinned, live };
      const publication = { row, fields, html, at: services.clock(), editor, state };
      await publishStory(services, tx, publication, action);
      return null;
    });
  },
};

function fromRow(row: StoryRow, timeZone: string): DeskItem {
  const { title, excerpt, isPinned, corrections, origin, name } = row;
  const isFromReader = origin === "reader";
  const authors = isFromReader ? [name] : row.authors;
  const publishedAt = localTimestamp(row.publishedAt ?? row.createdAt, timeZone);
  const source = { title, html: row.html, text: row.text, live: row.live };
  return {
    kind: "story",
    id: row.slug ?? "",
    rowId: row.id,
    file: null,
    title,
    excerpt,
    facts: [row.category ?? "", authors.join(", ")],
    state: storyStates[row.state],
    isPinned,
    isPinnedByFile: false,
    ...(!isFromReader && {
      live: toLiveState(row.live),
      entries: listEntries({ ...source, day: publishedAt.slice(0, 10) }, timeZone),
    }),
    corrections,
    dates: {
      // Readers see only the day of a reader's story.
      date: (isFromReader && row.day) || publishedAt,
      updated: row.updatedAt && localTimestamp(row.updatedAt, timeZone),
    },
    deletedAt:
      isFromReader && row.state === "down" && row.decidedAt
        ? daysBefore(row.decidedAt, -rejectedRetentionDays)
        : null,
  };
}

async function findFile(
  { db, site, clock }: Pick<Services, "db" | "site" | "clock">,
  slug: string,
): Promise<DeskItem | null> {
  const { timeZone } = site.read(siteSettingsFile);
  const file = site.readAll(newsFolder).find(({ id }) => id === slug);
  const record = file && recordFromFile(file, timeZone);
  if (!record || !isPublished(record, clock())) return null;
  const note = (await readFileNotes(db, "story")).get(slug);
  const { title, excerpt, category, authors, writtenDate: date, updated } = record;
  return {
    kind: "story",
    id: slug,
    rowId: null,
    file: toFileName(slug),
    title,
    excerpt,
    facts: [category, authors.join(", ")],
    state: note?.isDown ? "down" : "published",
    isPinned: record.isPinned || (note?.isPinned ?? false),
    isPinnedByFile: record.isPinned,
    live: toLiveState(record.live?.isLive ?? null),
    corrections: [...record.corrections, ...(note?.corrections ?? [])],
    dates: { date, updated },
    deletedAt: null,
  };
}
