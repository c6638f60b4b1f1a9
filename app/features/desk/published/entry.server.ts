import type { Database } from "../../../../db/database.ts";
import { calendarDay } from "../../../lib/dates.ts";
import { readField } from "../../../lib/form.ts";
import { stripControlCharacters, toSafeLine } from "../../../lib/text/plain-text.ts";
import { siteSettingsFile } from "../../brand/files.server.ts";
import { renderStoryText } from "../../stories/desk/render.server.ts";
import { findStoryRow, lockStory, readFields } from "../../stories/desk/rows.server.ts";
import {
  appendEntry,
  findEntries,
  listEntries,
  readLiveStory,
  replaceEntry,
  writeEntry,
} from "../../stories/live/entries.server.ts";
import type { StoryRow } from "../../stories/schema.server.ts";
import type { Editor } from "../files.server.ts";
import type { DeskItem } from "../kinds/kind.ts";
import { publishStory } from "../kinds/story.server.ts";
import type { LogAction } from "../schema.server.ts";
import type { WriteDesk, WriteServices } from "../services.ts";
import { changeDraftOf, lockDraftOf } from "../write/draft-of-item.server.ts";
import { maxLengths } from "../write/model.ts";
import type { Outcome } from "./change-item.server.ts";
import {
  deleteEntryAction,
  type EntryAction,
  entryAction,
  entryParam,
  maxEntryLength,
  maxEntryTitleLength,
} from "./model.ts";

type Entry = { title: string; text: string };

type Prepared = {
  action: LogAction;
  note: string;
  html: string;
  /** Changes the text, or the text of its draft, which may be another one. */
  change(text: string): string;
};

export function sendEntry(
  services: WriteDesk,
  item: DeskItem,
  { action, form }: { action: EntryAction; form: FormData },
): Promise<Outcome> {
  const typed = { title: readField(form, "title"), text: readField(form, "text") };
  return changeEntry(services, item, {
    key: action === entryAction ? null : readField(form, entryParam),
    typed: action === deleteEntryAction ? null : typed,
  });
}

/** A `key` of null adds an entry, and `typed` of null deletes the entry with the key. */
type EntryChange = { key: string | null; typed: Entry | null };

/**
 * Adds, changes or deletes an entry of a live story. If another editor changes the story meanwhile,
 * this begins again.
 */
export async function changeEntry(
  services: WriteDesk,
  { slug, rowId }: DeskItem,
  { key, typed }: EntryChange,
): Promise<Outcome> {
  const entry = typed && {
    title: toSafeLine(typed.title),
    text: stripControlCharacters(typed.text).replaceAll("\r\n", "\n").trim(),
  };
  for (;;) {
    const row = rowId === null ? null : await findStoryRow(services.db, { id: rowId });
    if (!row) return { kind: "missing" };
    const at = services.clock();
    const prepared = await prepare(services, row, { key, typed: entry }, at);
    if (prepared === "published") return { kind: "done", slug };
    if ("message" in prepared) return { kind: "refused", ...prepared };
    const publication = { ...prepared, at, editor: services.editor };
    const isDone = await services.db.transaction((tx) => publish(services, tx, row, publication));
    if (isDone) return { kind: "done", slug };
  }
}

function findProblem({ title, text }: Entry): string | null {
  if (text === "") return "Please write what has happened.";
  if (text.length > maxEntryLength)
    return `An entry can have at most ${maxEntryLength.toLocaleString("en-US")} characters.`;
  if (title.length > maxEntryTitleLength)
    return `The title can have at most ${maxEntryTitleLength} characters.`;
  return null;
}

const changedEntry =
  "Somebody has changed or deleted this entry. Copy your text, then load this page again.";

/**
 * Renders an entry twice, one after the other, to see whether it ends: a block of code without an
 * end would contain the entries after it.
 */
async function isWhole(services: WriteServices, entry: string, row: LiveRow): Promise<boolean> {
  const twice = appendEntry(entry, entry);
  const html = await renderStoryText(services, twice);
  // Readers see no entry where `findEntries` finds one in a list, so editors could no longer change
  // the entries.
  return row.count(html) === 2 && findEntries(twice, row.day, row.timeZone).length === 2;
}

type LiveRow = ReturnType<typeof openStory>;

function openStory({ site }: WriteServices, { publishedAt, createdAt }: StoryRow) {
  const { timeZone } = site.read(siteSettingsFile);
  const day = calendarDay(publishedAt ?? createdAt, timeZone);
  /** Counts the entries that readers see. */
  const count = (html: string) =>
    readLiveStory({ title: "", html, live: true, day }, timeZone)?.entries.length ?? 0;
  return { timeZone, day, count };
}

/**
 * Renders the story with the change. "published": it has the change already, because the button was
 * pressed twice. The key identifies an entry with the text that the editor saw.
 */
async function prepare(
  services: WriteDesk,
  row: StoryRow,
  { key, typed }: EntryChange,
  now: Date,
): Promise<Prepared | "published" | { message: string }> {
  const story = openStory(services, row);
  const { timeZone, day } = story;
  const isNew = key === null;
  const message = typed && findProblem(typed);
  if (message) return { message };
  if (row.live === null || (isNew && !row.live) || row.state !== "approved")
    return { message: "This story is not live." };
  const known = listEntries({ ...row, day }, timeZone);
  const entry = known.find((each) => each.key === key);
  const same = known.find(({ title, text }) => title === typed?.title && text === typed.text);
  if (same && (isNew ? same === known[0] : !entry || same === entry)) return "published";
  if (same && isNew) return { message: "This entry is published already." };
  if (!isNew && !entry) return { message: changedEntry };
  const written = typed && writeEntry(typed, entry?.at ?? now, timeZone);
  if (written !== null && !(await isWhole(services, written, story)))
    return { message: "Remove headings that begin with a time, and end code with ```." };
  const change = (before: string) => {
    if (isNew) return appendEntry(before, written ?? "");
    const found = findEntries(before, day, timeZone).find((each) => each.key === key);
    return found ? replaceEntry(before, found, written) : before;
  };
  const text = change(row.text);
  if (text.length > maxLengths.text)
    return {
      message: `This story is full. ${isNew ? "End it, and go on in a new one." : "Shorten the entry."}`,
    };
  const html = await renderStoryText(services, text);
  const added = isNew ? 1 : written === null ? -1 : 0;
  if (story.count(html) !== story.count(row.html) + added)
    return {
      message: "The text of this story ends with code or markup that does not end. Edit it.",
    };
  return {
    action: isNew
      ? "added an entry to"
      : written === null
        ? "deleted an entry of"
        : "edited an entry of",
    note: entry ? [entry.time, entry.title].filter(Boolean).join(": ") : "",
    html,
    change,
  };
}

/** Returns false if the story is another one than the one that was rendered. */
async function publish(
  services: WriteServices,
  tx: Database,
  { id, text: before, live }: StoryRow,
  { change, ...rendered }: Prepared & { at: Date; editor: Editor },
): Promise<boolean> {
  const draft = await lockDraftOf(tx, "story", id);
  const row = await lockStory(tx, id);
  if (row?.live !== live || row.state !== "approved" || row.text !== before) return false;
  const fields = { ...(await readFields(tx, row)), text: change(before) };
  await publishStory(services, tx, { row, fields, ...rendered });
  // The draft may have another text.
  if (draft) await changeDraftOf(tx, "story", id, () => ({ text: change(draft.fields.text) }));
  return true;
}
