import type { Database } from "../../../../db/database.ts";
import { calendarDay } from "../../../lib/dates.ts";
import { stripControlCharacters } from "../../../lib/text/plain-text.ts";
import { maxSlugLength, toSlug } from "../../../lib/text/slug.ts";
import { toTypographic } from "../../../lib/text/typography/typography.ts";
import type { Services } from "../../../platform/services.ts";
import type { Correction } from "../../../site-files/article-fields.server.ts";
import { siteSettingsFile } from "../../brand/files.server.ts";
import { addFileCorrection, changeFileNote } from "../../file-notes/notes.server.ts";
import { addRedirect } from "../../redirects/rows.server.ts";
import { rememberTitle } from "../../stories/remembered.server.ts";
import type { DeskItem, ItemChanges, LockedItem } from "../kinds/kind.ts";
import { deskKinds } from "../kinds/kinds.server.ts";
import { recordPublication } from "../kinds/versions.server.ts";
import { writeLog } from "../log/log.server.ts";
import type { LogAction } from "../schema.server.ts";
import type { Desk } from "../services.ts";
import { cancelMails, toMailKey } from "../waiting/notify-senders.server.ts";
import { changeDraftOf, holdDraftsOf, lockDraftOf } from "../write/draft-of-item.server.ts";
import { openDraftFor } from "../write/drafts.server.ts";
import { type ItemAction, logIdOf, maxCorrectionLength, toPublicPath } from "./model.ts";

/** `typed` is the text of a correction, or the new last part of the path. */
type Change = { action: ItemAction; typed?: string };

export type Outcome =
  | { kind: "done"; slug: string }
  | { kind: "refused"; message: string }
  | { kind: "missing" };

export const changeItem = (desk: Desk, item: DeskItem, change: Change): Promise<Outcome> =>
  desk.db.transaction(async (tx) => {
    const { kind, slug, rowId } = item;
    if (rowId === null)
      return apply(desk, tx, item, openFile(tx, desk.clock(), item), null, change);
    await lockDraftOf(tx, kind, rowId);
    const locked = await deskKinds[kind].lock(desk, tx, rowId);
    // Somebody has deleted it, or changed its path.
    if (locked?.slug !== slug) return { kind: "missing" };
    return apply(desk, tx, item, locked, locked, change);
  });

/** A file or an imported event has no row, so what editors decide about it is stored in a note. */
function openFile(tx: Database, at: Date, { kind, slug, title }: DeskItem): ItemChanges {
  return {
    async setState(state) {
      await changeFileNote(tx, kind, slug, { isDown: state === "down" });
      if (kind === "story") await rememberTitle(tx, slug, state === "down" ? "" : title, at);
    },
    ...(kind === "story" && {
      pin: (isPinned: boolean) => changeFileNote(tx, kind, slug, { isPinned }),
    }),
    ...(kind !== "event" && {
      async correct(corrections: Correction[]) {
        const added = corrections.at(-1);
        if (added) await addFileCorrection(tx, kind, slug, added);
      },
    }),
  };
}

const refused = (message: string): Outcome => ({ kind: "refused", message });

async function apply(
  desk: Desk,
  tx: Database,
  item: DeskItem,
  changes: ItemChanges,
  /** Null if the item is a file. */
  locked: LockedItem | null,
  { action, typed = "" }: Change,
): Promise<Outcome> {
  const { editor } = desk;
  const { kind, rowId, title } = item;
  const done = async (did: LogAction, note = "", slug = item.slug): Promise<Outcome> => {
    const entry = { action: did, kind, items: [logIdOf(item)], title, note };
    await writeLog(tx, desk.clock, editor, entry);
    return { kind: "done", slug };
  };
  switch (action) {
    case "down":
      await changes.setState("down");
      if (rowId !== null) await holdDraftsAndMailsOf(tx, rowId);
      return done("took down");
    case "again":
      await changes.setState("published");
      return done("published again");
    case "draft":
      if (rowId === null) return refused("The desk cannot make it a draft.");
      await changes.setState("draft");
      await holdDraftsAndMailsOf(tx, rowId);
      // The item continues as a draft, which the list of drafts shows.
      await openDraftFor({ ...desk, db: tx }, kind, rowId);
      return done("unpublished");
    case "pin":
    case "unpin":
      if (!changes.pin) return refused("Only stories can be pinned.");
      await changes.pin(action === "pin");
      if (rowId !== null)
        await changeDraftOf(tx, kind, rowId, () => ({ isPinned: action === "pin" }));
      return done(action === "pin" ? "pinned" : "unpinned");
    case "live":
    case "end": {
      if (!changes.setLive || rowId === null)
        return refused("The desk can only make its own stories live.");
      const isLive = action === "live";
      await changes.setLive(isLive);
      await changeDraftOf(tx, kind, rowId, () => ({ isLive }));
      return done(isLive ? "began live updates of" : "ended live updates of");
    }
    case "correct": {
      if (!changes.correct) return refused("To correct an event, edit it.");
      const published = locked?.fields.corrections ?? item.corrections ?? [];
      const read = readCorrection(desk, typed, published);
      if ("message" in read) return refused(read.message);
      // The button was pressed twice.
      if (read.isPublished) return { kind: "done", slug: item.slug };
      const { correction } = read;
      const corrections = [...published, correction];
      await changes.correct(corrections);
      if (rowId === null || !locked) return done("corrected", correction.text);
      const fields = { ...locked.fields, corrections };
      const change = { fields, before: locked, action: "corrected" as const };
      const by = { note: correction.text, at: desk.clock(), editor };
      await recordPublication(tx, { kind, rowId }, { ...change, ...by });
      return { kind: "done", slug: item.slug };
    }
    case "rename": {
      if (!changes.rename) return refused("Its path cannot be changed at the desk.");
      const slug = toSlug(typed);
      const [oldPath, newPath] = [toPublicPath(kind, item.slug), toPublicPath(kind, slug)];
      if (slug === "" || slug.length > maxSlugLength)
        return refused(`The new name must have 1 to ${maxSlugLength} letters, digits and hyphens.`);
      if (slug === item.slug) return refused("This is its name already.");
      if (desk.site.names(deskKinds[kind].folder).includes(slug))
        return refused(`A file is at ${newPath}.`);
      if (!(await changes.rename(slug)))
        return refused(`Another ${kind} is, or was, at ${newPath}.`);
      await addRedirect(tx, { oldPath, newPath, at: desk.clock() });
      return done("renamed", `${oldPath} → ${newPath}`, slug);
    }
  }
}

/** Otherwise its sender would get the email that it is on the site now. */
async function holdDraftsAndMailsOf(tx: Database, rowId: string): Promise<void> {
  await holdDraftsOf(tx, [rowId]);
  await cancelMails(tx, [toMailKey(rowId)]);
}

/** `isPublished`: this correction was published today already, so the button was pressed twice. */
function readCorrection(
  { site, clock }: Pick<Services, "site" | "clock">,
  typed: string,
  published: Correction[],
): { correction: Correction; isPublished: boolean } | { message: string } {
  const text = stripControlCharacters(typed).trim();
  if (text === "") return { message: "Please write what was wrong, and what is right." };
  if (text.length > maxCorrectionLength)
    return { message: `A correction can have at most ${maxCorrectionLength} characters.` };
  const date = calendarDay(clock(), site.read(siteSettingsFile).timeZone);
  const same = published.find((each) => toTypographic(each.text) === toTypographic(text));
  if (same && same.date !== date) return { message: "This correction is published already." };
  return { correction: { date, text }, isPublished: same !== undefined };
}
