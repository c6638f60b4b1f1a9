import { readField } from "../../../lib/form.ts";
import type { Refusal } from "../../forms/model.ts";
import type { Editor } from "../files.server.ts";
import { writeLog } from "../log/log.server.ts";
import { isUuid } from "../waiting/model.ts";
import type { Changed, EntryKind, EntryServices } from "./kind.ts";
import { listingEntries } from "./listings.server.ts";
import { meetingEntries } from "./meetings.server.ts";
import {
  actionField,
  type EntriesContent,
  type EntryFormContent,
  type EntryList,
  keyField,
  newEntry,
} from "./model.ts";

const kinds: Record<EntryList, EntryKind> = { meetings: meetingEntries, listings: listingEntries };

/** Shows all entries. `changedId` is the entry that the editor has just changed. */
export async function showEntries(
  services: EntryServices,
  list: EntryList,
  changedId: string | null,
): Promise<EntriesContent> {
  const kind = kinds[list];
  const groups = (await kind.list(services)).filter(({ rows }) => rows.length > 0);
  const changed = groups.flatMap(({ rows }) => rows).find(({ id }) => id === changedId);
  return {
    list,
    noun: kind.noun,
    groups,
    changed: changedId === null ? null : (changed ?? "deleted"),
  };
}

/** Shows the form of an entry. One that is not stored, or no longer, is new. */
export async function showEntryForm(
  services: EntryServices,
  list: EntryList,
  id: string,
): Promise<EntryFormContent> {
  const kind = kinds[list];
  const entry = id === newEntry ? null : await kind.open(services, id);
  return {
    list,
    noun: kind.noun,
    id: entry ? id : newEntry,
    newKey: crypto.randomUUID(),
    fields: kind.fields(services, entry === null),
    entry,
  };
}

/** Does what an editor wants with an entry. Returns its id, or what is wrong with the form. */
export async function changeEntry(
  services: EntryServices,
  editor: Editor,
  list: EntryList,
  { id, form }: { id: string; form: FormData },
): Promise<{ kind: "changed"; id: string } | Refusal> {
  const kind = kinds[list];
  const isNew = id === newEntry;
  const names = kind.fields(services, isNew).map(({ name }) => name);
  const typed = Object.fromEntries(names.map((name) => [name, readField(form, name)]));
  const refuse = (summary: string, errors: Refusal["errors"] = {}): Refusal => ({
    kind: "refused",
    status: 422,
    summary,
    errors,
    typed,
  });
  const carryOut = (action: string, run: (tx: EntryServices["db"]) => Promise<Changed | null>) =>
    services.db.transaction(async (tx) => {
      const changed = await run(tx);
      if (changed) {
        const { id: item, title, note } = changed;
        const entry = { action, kind: kind.noun, items: [item], title, note };
        await writeLog(tx, services.clock, editor, entry);
      }
      return changed;
    });

  const wanted = readField(form, actionField);
  if (wanted !== "save") {
    const action = Object.hasOwn(kind.actions, wanted) ? kind.actions[wanted] : undefined;
    const changed = action && (await carryOut(action.done, (tx) => action.run(services, tx, id)));
    // What somebody else has deleted meanwhile needs no change anymore.
    return { kind: "changed", id: changed?.id ?? id };
  }
  const write = kind.check(services, typed);
  if (typeof write !== "function") return refuse("This cannot be saved yet.", write);
  const typedKey = readField(form, keyField);
  const key = isUuid(typedKey) ? typedKey : crypto.randomUUID();
  const changed = await carryOut(isNew ? "added" : "changed", (tx) =>
    write(tx, { id: isNew ? null : id, key }),
  );
  return changed
    ? { kind: "changed", id: changed.id }
    : refuse(`Somebody has deleted this ${kind.noun}. Save it to add it again.`);
}
