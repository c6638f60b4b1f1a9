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
type Preparation = Prepared | { isPublished: true } | { message: string };

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

type EntryChange = { key: string | null; typed: Entry | null };

/**
 * Adds an entry to a live story if `key` is null. Otherwise changes the entry with this key, or
 * deletes it if `typed` is null. If another editor changes the story meanwhile, this begins again.
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
    const prepared =
      entry && key === null
        ? await prepareNew(services, row, entry, at)
        : await prepareChange(services, row, key ?? "", entry);
    if ("message" in prepared) return { kind: "refused", ...prepared };
    if ("isPublished" in prepared) return { kind: "done", slug };
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
const openEnd = "The text of this story ends with code or markup that does not end. Edit it.";

function openStory({ site }: WriteServices, row: StoryRow, at: Date) {
  const { timeZone } = site.read(siteSettingsFile);
  const day = calendarDay(row.publishedAt ?? at, timeZone);
  const readEntries = (html: string) =>
    readLiveStory({ title: "", html, live: true, day }, timeZone)?.entries ?? [];
  return { timeZone, day, readEntries };
}

/**
 * Renders an entry twice, one after the other, to see whether it ends: a block of code without an
 * end would contain the entries after it.
 */
async function renderAlone(services: WriteServices, row: StoryRow, entry: string, at: Date) {
  const { timeZone, day, readEntries } = openStory(services, row, at);
  const twice = appendEntry(entry, entry);
  const [one, ...others] = readEntries(await renderStoryText(services, twice));
  // Readers see no entry where `findEntries` finds one in a list, so editors could no longer change
  // the entries.
  return one && others.length === 1 && findEntries(twice, day, timeZone).length === 2
    ? one
    : { message: "Remove headings that begin with a time, and end code with ```." };
}

/** Renders the story with a new entry. Pressing the button twice publishes the entry once. */
async function prepareNew(
  services: WriteServices,
  row: StoryRow,
  typed: Entry,
  at: Date,
): Promise<Preparation> {
  const { timeZone, readEntries } = openStory(services, row, at);
  const message = findProblem(typed);
  if (message) return { message };
  if (!row.live || row.state !== "approved") return { message: "This story is not live." };
  const entry = writeEntry(typed, at, timeZone);
  const one = await renderAlone(services, row, entry, at);
  if ("message" in one) return one;
  const known = readEntries(row.html);
  const same = known.find(
    ({ title, html }) => title === one.title && html.trim() === one.html.trim(),
  );
  if (same)
    return same === known[0]
      ? { isPublished: true }
      : { message: "This entry is published already." };
  const text = appendEntry(row.text, entry);
  if (text.length > maxLengths.text)
    return { message: "This story is full. End it, and go on in a new one." };
  const html = await renderStoryText(services, text);
  if (readEntries(html).length !== known.length + 1) return { message: openEnd };
  return {
    action: "added an entry to",
    note: "",
    html,
    change: (before) => appendEntry(before, entry),
  };
}

/** `key` identifies the entry with the text that the editor saw before changing it. */
async function prepareChange(
  services: WriteDesk,
  row: StoryRow,
  key: string,
  typed: Entry | null,
): Promise<Preparation> {
  const at = row.publishedAt ?? row.createdAt;
  const { timeZone, day, readEntries } = openStory(services, row, at);
  const message = typed && findProblem(typed);
  if (message) return { message };
  if (row.live === null || row.state !== "approved") return { message: "This story is not live." };
  const known = listEntries({ ...row, day }, timeZone);
  const entry = known.find((each) => each.key === key);
  if (!entry) {
    // The button was pressed twice.
    const isDone = known.some(({ title, text }) => title === typed?.title && text === typed.text);
    return isDone ? { isPublished: true } : { message: changedEntry };
  }
  const written = typed && writeEntry(typed, entry.at, timeZone);
  if (written === entry.source) return { isPublished: true };
  const one = written === null ? null : await renderAlone(services, row, written, at);
  if (one && "message" in one) return one;
  const text = replaceEntry(row.text, entry, written);
  if (text.length > maxLengths.text) return { message: "This story is full. Shorten the entry." };
  const html = await renderStoryText(services, text);
  if (readEntries(html).length !== known.length - (written === null ? 1 : 0))
    return { message: openEnd };
  return {
    action: written === null ? "deleted an entry of" : "edited an entry of",
    note: [entry.time, entry.title].filter(Boolean).join(": "),
    html,
    change(before) {
      const found = findEntries(before, day, timeZone).find((each) => each.key === key);
      return found ? replaceEntry(before, found, written) : before;
    },
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
