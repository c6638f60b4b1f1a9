import { getTableColumns, inArray } from "drizzle-orm";
import type { Database } from "../../../../db/database.ts";
import { calendarDay, daysBefore, localTimestamp } from "../../../lib/dates.ts";
import { isUuid } from "../../../lib/is-uuid.ts";
import { toSafeLine } from "../../../lib/text/plain-text.ts";
import type { Services } from "../../../platform/services.ts";
import { noPhoto } from "../../../site-files/site-fields.server.ts";
import { siteSettingsFile } from "../../brand/files.server.ts";
import { type FileNote, readFileNotes } from "../../file-notes/notes.server.ts";
import { renderStoryText } from "../../stories/desk/render.server.ts";
import {
  changeStory,
  findStoryRow,
  hasStory,
  lockStory,
  readFields,
  renameStory,
  type StoryFields,
  type StoryToWrite,
  writeStory,
} from "../../stories/desk/rows.server.ts";
import { newsFolder, submitStoryFile } from "../../stories/files.server.ts";
import { listEntries } from "../../stories/live/entries.server.ts";
import { storyPath } from "../../stories/model.ts";
import { rejectedRetentionDays } from "../../stories/readers/model.ts";
import {
  isPublished,
  recordFromFile,
  recordFromRow,
  type StoryRecord,
} from "../../stories/record.server.ts";
import { rememberTitle } from "../../stories/remembered.server.ts";
import {
  publishedListStates,
  type StoryRow,
  storySubmissions,
} from "../../stories/schema.server.ts";
import { readStoryPage } from "../../stories/story-page.server.ts";
import type { Editor } from "../files.server.ts";
import { type LiveState, toItemState, toRowState } from "../published/model.ts";
import type { LogAction } from "../schema.server.ts";
import type { DeskServices } from "../services.ts";
import { listImages, readDraftImages, showDeskImages } from "../write/images.server.ts";
import { type DraftFields, deskImagePath, titleOf } from "../write/model.ts";
import { findArticleObstacles, toArticleFields, toDraftFields } from "./article.server.ts";
import type { DeskItem, DeskKind, ItemContent, PublishedItem } from "./kind.ts";
import { recordPublication } from "./versions.server.ts";

const toLiveState = (live: boolean | null): LiveState =>
  live === null ? "off" : live ? "live" : "over";

const toFileName = (slug: string) => `${newsFolder.folder}/${slug}.md`;

const { text: _text, html: _html, ...listedColumns } = getTableColumns(storySubmissions);

const toRowItem = (row: Omit<StoryRow, "text" | "html">): PublishedItem => ({
  kind: "story",
  slug: row.slug ?? "",
  title: row.title,
  at: row.publishedAt ?? new Date(0),
  state: toItemState(row.state),
  isPinned: row.isPinned,
  isLive: row.live === true,
  from: row.writtenBy === "reader" ? "From a reader" : "From the desk",
});

const toFileItem = (record: StoryRecord, note: FileNote | undefined): PublishedItem => ({
  kind: "story",
  slug: record.slug,
  title: record.title,
  at: record.publishedAt,
  state: note?.isDown ? "down" : "published",
  isPinned: record.isPinned || (note?.isPinned ?? false),
  isLive: record.live?.isLive === true,
  from: toFileName(record.slug),
});

/** Lists the stories in the database and in files. If both have the same path, the row wins. */
const listStories: DeskKind["list"] = async ({ db, site, clock }) => {
  const rows = await db
    .select(listedColumns)
    .from(storySubmissions)
    .where(inArray(storySubmissions.state, publishedListStates));
  const notes = await readFileNotes(db, "story");
  const { timeZone } = site.read(siteSettingsFile);
  const stored = rows.map(toRowItem);
  const storedSlugs = new Set(stored.map((item) => item.slug));
  const now = clock();
  const files = site
    .readAll(newsFolder)
    .map((file) => recordFromFile(file, timeZone))
    .filter((record) => isPublished(record, now) && !storedSlugs.has(record.slug))
    .map((record) => toFileItem(record, notes.get(record.slug)));
  return [...stored, ...files];
};

export const storyKind: DeskKind = {
  list: listStories,
  /** If a row and a file have the same path, the row wins. */
  async find(services, slug) {
    const { timeZone } = services.site.read(siteSettingsFile);
    const row = await findStoryRow(services.db, { slug });
    return row ? fromRow(row, timeZone) : findFile(services, slug);
  },
  async lock({ clock }, tx, rowId) {
    const row = isUuid(rowId) ? await lockStory(tx, rowId) : null;
    if (!row) return null;
    const { slug } = row;
    const at = clock();
    return {
      ...(await readContent(tx, row, at)),
      slug: slug ?? "",
      nameDraft: async () => row.id,
      async setState(state) {
        await changeStory(tx, row, { state: toRowState(state), decidedAt: at });
        // The path of a story that is taken down answers "gone", without a title for suggestions.
        if (state !== "draft" && slug !== null)
          await rememberTitle(tx, slug, state === "down" ? "" : row.title, at);
      },
      pin: (isPinned) => changeStory(tx, row, { isPinned }),
      correct: (corrections) => changeStory(tx, row, { corrections, decidedAt: at }),
      ...(row.writtenBy === "desk" && {
        setLive: (isLive: boolean) => changeStory(tx, row, { live: isLive }),
      }),
      rename: (newSlug) => renameStory(tx, row, newSlug, at),
    };
  },
  folder: newsFolder,

  findOfDraft: async (db, draftId) => ((await hasStory(db, draftId)) ? draftId : null),

  isOnSite: async ({ db }, rowId) => (await findStoryRow(db, { id: rowId }))?.state === "approved",

  findObstacles: (services, draft) => findArticleObstacles(services, draft, renderStoryText),

  async prepare(services, draft, at) {
    const { editor } = services;
    const html = await renderStoryText(services, draft.fields.text);
    return async (tx, { rowId, fields: typed, state, action }) => {
      const row = rowId === null ? null : await lockStory(tx, rowId);
      const fields = toStoryFields(services, typed, row, at);
      const newImages = await readDraftImages(tx, draft);
      const story = { row, newId: draft.id, fields, html, at, newImages };
      const publication = { ...story, state: state && toRowState(state), editor, action };
      const { slug } = await publishStory(services, tx, publication);
      return { kind: "published", path: storyPath(slug) };
    };
  },

  async preview(services, draft) {
    const { site, db } = services;
    const { timeZone } = site.read(siteSettingsFile);
    const row = draft.rowId === null ? null : await findStoryRow(db, { id: draft.rowId });
    const publishedAt = row?.publishedAt ?? draft.publishAt ?? services.clock();
    const html = await renderStoryText(services, draft.fields.text);
    const { image, ...fields } = toStoryFields(services, draft.fields, row, publishedAt);
    const [size] = await listImages(db, draft, [draft.fields.image]);
    const record = recordFromRow(
      {
        ...fields,
        title: titleOf(draft.fields),
        category: fields.category || "No section yet",
        slug: row?.slug ?? draft.id,
        writtenBy: row?.writtenBy ?? "desk",
        name: fields.authors[0] ?? "",
        html: showDeskImages(html),
        day: calendarDay(publishedAt, timeZone),
        publishedAt,
        updatedAt: null,
        images:
          image && size
            ? [
                {
                  ...noPhoto,
                  ...size,
                  file: deskImagePath(image.id),
                  alt: image.alt,
                  caption: image.caption || null,
                  credit: image.credit || null,
                },
              ]
            : [],
      },
      { placeholder: site.read(submitStoryFile).picture, timeZone },
    );
    return { kind: "story", page: await readStoryPage(services, record) };
  },
};

function fromRow(row: StoryRow, timeZone: string): DeskItem {
  const { excerpt, corrections } = row;
  const isFromReader = row.writtenBy === "reader";
  const authors = isFromReader ? [row.name] : row.authors;
  const publishedAt = localTimestamp(row.publishedAt ?? row.createdAt, timeZone);
  return {
    ...toRowItem(row),
    rowId: row.id,
    file: null,
    excerpt,
    facts: [row.category ?? "", authors.join(", ")],
    ...(!isFromReader && {
      live: toLiveState(row.live),
      entries: listEntries({ ...row, day: publishedAt.slice(0, 10) }, timeZone),
    }),
    corrections,
    dates: {
      // Readers see only the day of a reader's story.
      date: (isFromReader && row.day) || publishedAt,
      updated: row.updatedAt && localTimestamp(row.updatedAt, timeZone),
    },
    ...(isFromReader &&
      row.state === "down" &&
      row.decidedAt && { deletedAt: daysBefore(row.decidedAt, -rejectedRetentionDays) }),
  };
}

async function findFile({ db, site, clock }: DeskServices, slug: string): Promise<DeskItem | null> {
  const { timeZone } = site.read(siteSettingsFile);
  const file = site.readAll(newsFolder).find(({ id }) => id === slug);
  const record = file && recordFromFile(file, timeZone);
  if (!record || !isPublished(record, clock())) return null;
  const note = (await readFileNotes(db, "story")).get(slug);
  const { excerpt, category, authors, writtenDate: date, updated } = record;
  return {
    ...toFileItem(record, note),
    rowId: null,
    file: toFileName(slug),
    excerpt,
    facts: [category, authors.join(", ")],
    isPinnedByFile: record.isPinned,
    live: toLiveState(record.live?.isLive ?? null),
    corrections: [...record.corrections, ...(note?.corrections ?? [])],
    dates: { date, updated },
  };
}

const toStoryFields = (
  services: Pick<Services, "site">,
  fields: DraftFields,
  row: StoryRow | null,
  at: Date,
): StoryFields => ({
  ...toArticleFields(services, fields, at),
  // The name of a reader may contain commas.
  ...(row?.writtenBy === "reader" && { authors: [toSafeLine(fields.authors)] }),
  category: fields.category.trim(),
  isPinned: fields.isPinned,
  // Null is an ordinary story. A story that was live gets `false`, so that it says that it is over.
  live: fields.isLive || (row?.live == null ? null : false),
});

const toStoryDraft = ({ live, ...fields }: StoryFields): DraftFields => ({
  ...toDraftFields(fields),
  isLive: live === true,
});

const readContent = async (tx: Database, row: StoryRow, now: Date): Promise<ItemContent> => ({
  fields: toStoryDraft(await readFields(tx, row)),
  at: row.updatedAt ?? row.publishedAt ?? now,
  state: toItemState(row.state),
});

type Publication = StoryToWrite & { editor: Editor; action?: LogAction | undefined; note?: string };

/**
 * Publishes a story with its version and its line in the log. Without a `state`, a story that was
 * taken down, or became a draft again, returns to the site.
 */
export async function publishStory(
  services: Pick<Services, "site">,
  tx: Database,
  { editor, action, note, ...written }: Publication,
): Promise<{ id: string; slug: string }> {
  const { row, fields, at } = written;
  const before = row && (await readContent(tx, row, at));
  const story = await writeStory(services, tx, written);
  const publication = { fields: toStoryDraft(fields), before, action, note, at, editor };
  await recordPublication(tx, { kind: "story", rowId: story.id }, publication);
  return story;
}
