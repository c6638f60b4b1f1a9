import type { Database } from "../../../../../db/database.ts";
import { calendarDay } from "../../../../lib/dates.ts";
import { stripControlCharacters, toSafeLine } from "../../../../lib/text/plain-text.ts";
import type { Services } from "../../../../platform/services.ts";
import { siteSettingsFile } from "../../../brand/files.server.ts";
import { renderStoryText } from "../../../stories/desk/render.server.ts";
import { findStoryRow, lockStory, readFields } from "../../../stories/desk/rows.server.ts";
import { appendEntry, readLiveStory, writeEntry } from "../../../stories/live/entries.server.ts";
import type { StoryRow } from "../../../stories/readers/schema.server.ts";
import type { Editor } from "../../files.server.ts";
import { changeDraftOf, lockDraftOf } from "../../write/draft-of-item.server.ts";
import { maxLengths } from "../../write/model.ts";
import type { Outcome } from "../change-item.server.ts";
import type { DeskItem, ItemServices } from "../kind.ts";
import { addedEntry, maxEntryLength, maxEntryTitleLength } from "../model.ts";
import { publishStory } from "../publish.server.ts";

type EntryServices = ItemServices & Pick<Services, "runInWorker">;
type Entry = { title: string; text: string };

const refused = (message: string): Outcome => ({ kind: "refused", message });

/** Adds an entry with the current time to a live story, and publishes it at once. */
export async function publishEntry(
  services: EntryServices,
  { id, rowId }: DeskItem,
  typed: Entry & { editor: Editor },
): Promise<Outcome> {
  const entry = {
    title: toSafeLine(typed.title),
    text: stripControlCharacters(typed.text).replaceAll("\r\n", "\n").trim(),
  };
  const message = findProblem(entry);
  if (message) return refused(message);
  // If another editor changes the story meanwhile, its text is rendered again.
  for (;;) {
    const row = rowId === null ? null : await findStoryRow(services.db, { id: rowId });
    if (!row) return { kind: "missing" };
    const at = services.clock();
    const prepared = await prepare(services, row, entry, at);
    if ("message" in prepared) return refused(prepared.message);
    if ("isPublished" in prepared) return { kind: "done", id };
    const publication = { ...prepared, at, editor: typed.editor };
    const isDone = await services.db.transaction((tx) => publish(services, tx, row, publication));
    if (isDone) return { kind: "done", id };
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

/**
 * Renders the story with the entry. Somebody who presses the button twice publishes it once, and an
 * entry must leave the others as they are: code that does not end would contain the next ones.
 */
async function prepare(
  services: EntryServices,
  { text: before, html: htmlBefore, live, state, publishedAt }: StoryRow,
  typed: Entry,
  at: Date,
): Promise<{ entry: string; html: string } | { isPublished: true } | { message: string }> {
  const { timeZone } = services.site.read(siteSettingsFile);
  const day = calendarDay(publishedAt ?? at, timeZone);
  const readEntries = (html: string) =>
    readLiveStory({ title: "", html, live: true, day }, timeZone)?.entries ?? [];
  if (!live || state !== "approved") return { message: "This story is not live." };
  const entry = writeEntry(typed, at, timeZone);
  const [one, ...others] = readEntries(await renderStoryText(services, appendEntry(entry, entry)));
  if (!one || others.length !== 1)
    return { message: "Remove headings that begin with a time, and end code with ```." };
  const known = readEntries(htmlBefore);
  const same = known.find(
    ({ title, html }) => title === one.title && html.trim() === one.html.trim(),
  );
  if (same)
    return same === known[0]
      ? { isPublished: true }
      : { message: "This entry is published already." };
  const text = appendEntry(before, entry);
  if (text.length > maxLengths.text)
    return { message: "This story is full. End it, and go on in a new one." };
  const html = await renderStoryText(services, text);
  return readEntries(html).length === known.length + 1
    ? { entry, html }
    : { message: "The text of this story ends with code or markup that does not end. Edit it." };
}

/** Returns false if the story is another one than the one that was rendered. */
async function publish(
  services: EntryServices,
  tx: Database,
  { id, text: before }: StoryRow,
  { entry, ...rendered }: { entry: string; html: string; at: Date; editor: Editor },
): Promise<boolean> {
  await lockDraftOf(tx, "story", id);
  const row = await lockStory(tx, id);
  if (!row?.live || row.state !== "approved" || row.text !== before) return false;
  const fields = { ...(await readFields(tx, row)), text: appendEntry(before, entry) };
  await publishStory(services, tx, { row, fields, ...rendered }, addedEntry);
  await changeDraftOf(tx, "story", id, ({ text }) => ({ text: appendEntry(text, entry) }));
  return true;
}
