import type { Database } from "../../../../db/database.ts";
import { readField } from "../../../lib/form.ts";
import { isUuid } from "../../../lib/is-uuid.ts";
import type { Refusal } from "../../forms/model.ts";
import { findLastAction, writeLog } from "../log/log.server.ts";
import { refuseForm, seenField } from "../model.ts";
import type { LogAction } from "../schema.server.ts";
import { describeStored, hashValues } from "../seen.server.ts";
import type { Desk, DeskServices } from "../services.ts";
import type { EntryKind } from "./kind.ts";
import { listingEntries } from "./listings.server.ts";
import { meetingEntries } from "./meetings.server.ts";
import { type EntryList, keyField, newEntry } from "./model.ts";

const kinds: Record<EntryList, EntryKind<{ id: string }>> = {
  meetings: meetingEntries,
  listings: listingEntries,
};

export type EntriesContent = Awaited<ReturnType<typeof showEntries>>;

export async function showEntries(
  services: DeskServices,
  list: EntryList,
  { changed: changedId, did }: { changed: string | null; did: string },
) {
  const kind = kinds[list];
  const groups = (await kind.list(services)).filter(({ rows }) => rows.length > 0);
  const row = groups.flatMap(({ rows }) => rows).find(({ id }) => id === changedId);
  const became = Object.hasOwn(kind.actions, did) ? kind.actions[did]?.became : undefined;
  const changed = row ? { row, became: became ?? "is saved" } : ("deleted" as const);
  return { list, noun: kind.noun, groups, changed: changedId === null ? null : changed };
}

export type EntryFormContent = Awaited<ReturnType<typeof showEntryForm>>;

/** Shows an empty form for a new entry, and also if somebody has deleted the entry meanwhile. */
export async function showEntryForm(services: DeskServices, list: EntryList, id: string) {
  const kind = kinds[list];
  const row = id === newEntry ? null : await kind.find(services.db, id);
  const open = row && kind.open(services, row);
  return {
    list,
    noun: kind.noun,
    id: open ? id : newEntry,
    /** The key of a new entry, so that a form which is sent twice adds only one. */
    newKey: crypto.randomUUID(),
    fields: kind.fields(services, open === null),
    /** The hash `seen` shows whether somebody has changed the entry since this form was loaded. */
    entry: open && { ...open, seen: hashValues(open.typed) },
  };
}

export async function changeEntry(
  desk: Desk,
  list: EntryList,
  { id, form }: { id: string; form: FormData },
): Promise<{ kind: "changed"; id: string; did: string } | Refusal> {
  const kind = kinds[list];
  const isNew = id === newEntry;
  const log = async (tx: Database, action: LogAction, row: { id: string }) => {
    const entry = { action, kind: kind.noun, items: [row.id], ...kind.describe(desk, row) };
    const same = { items: entry.items, kinds: [kind.noun], actions: [action] };
    // Somebody who presses the button twice adds one entry.
    const isAgain = isNew && (await findLastAction(tx, same)) !== undefined;
    if (!isAgain) await writeLog(tx, desk.clock, desk.editor, entry);
  };

  const wanted = readField(form, "action");
  const seen = readField(form, seenField);
  if (wanted !== "save") {
    const action = Object.hasOwn(kind.actions, wanted) ? kind.actions[wanted] : undefined;
    if (!action || isNew) return refuseForm("Please choose what to do.", form);
    return desk.db.transaction(async (tx) => {
      const row = await kind.lock(tx, id);
      const done = { kind: "changed" as const, id, did: wanted };
      // The list says that somebody else has deleted it meanwhile.
      if (!row) return done;
      const stored = kind.open(desk, row);
      // The buttons of the list do not say what the editor saw.
      if (seen !== "" && hashValues(stored.typed) !== seen)
        return {
          ...refuseForm(
            `Nothing was deleted: somebody else has changed this ${kind.noun} since you opened it. This is what it says now.`,
            form,
          ),
          typed: { ...stored.typed, [seenField]: hashValues(stored.typed) },
        };
      await action.run(desk, tx, row);
      await log(tx, action.done, row);
      return done;
    });
  }
  const names = kind.fields(desk, isNew).map(({ name }) => name);
  const typed = Object.fromEntries(names.map((name) => [name, readField(form, name)]));
  const checked = kind.check(desk, typed);
  if (!checked.ok) return refuseForm("This cannot be saved yet.", form, checked.errors);
  const typedKey = readField(form, keyField);
  const key = isUuid(typedKey) ? typedKey : crypto.randomUUID();
  return desk.db.transaction(async (tx) => {
    const before = isNew ? null : await kind.lock(tx, id);
    if (!isNew && !before)
      return refuseForm(`Somebody has deleted this ${kind.noun}. Save it to add it again.`, form);
    const stored = before && kind.open(desk, before);
    if (stored && hashValues(stored.typed) !== seen) {
      const refusal = refuseForm(
        `Somebody else has changed this ${kind.noun} since you opened it. Your text is not saved yet: look at the fields below, and save it again.`,
        form,
        describeStored(stored.typed, typed),
      );
      return { ...refusal, typed: { ...refusal.typed, [seenField]: hashValues(stored.typed) } };
    }
    const row = await checked.write(tx, before, key);
    await log(tx, isNew ? "added" : "changed", row);
    return { kind: "changed", id: row.id, did: wanted };
  });
}
