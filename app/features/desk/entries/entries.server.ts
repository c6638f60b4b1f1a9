import { createHash } from "node:crypto";
import { readField } from "../../../lib/form.ts";
import { isUuid } from "../../../lib/is-uuid.ts";
import type { Refusal } from "../../forms/model.ts";
import type { Desk } from "../kinds/kind.ts";
import { findLastAction, writeLog } from "../log/log.server.ts";
import { refuse } from "../model.ts";
import type { Changed, EntryKind, EntryServices } from "./kind.ts";
import { listingEntries } from "./listings.server.ts";
import { meetingEntries } from "./meetings.server.ts";
import {
  actionField,
  type EntryList,
  keyField,
  newEntry,
  type OpenEntry,
  seenField,
} from "./model.ts";

const kinds: Record<EntryList, EntryKind> = { meetings: meetingEntries, listings: listingEntries };

export type EntriesContent = Awaited<ReturnType<typeof showEntries>>;

export async function showEntries(
  services: EntryServices,
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

/** One that is not stored, or no longer, is new. */
export async function showEntryForm(services: EntryServices, list: EntryList, id: string) {
  const kind = kinds[list];
  const open = id === newEntry ? null : await kind.open(services, id, false);
  return {
    list,
    noun: kind.noun,
    id: open ? id : newEntry,
    /** Makes sure that a form which is sent twice adds one entry. */
    newKey: crypto.randomUUID(),
    fields: kind.fields(services, open === null),
    /** `seen` tells whether somebody has changed it since. */
    entry: open && { ...open, seen: hash(open) },
  };
}

const hash = ({ typed }: OpenEntry) =>
  createHash("sha256").update(JSON.stringify(typed)).digest("base64url");

/** Says for each field that the editor would overwrite what is stored there now. */
const describeStored = (stored: Record<string, string>, typed: Record<string, string>) =>
  Object.fromEntries(
    Object.entries(typed).flatMap(([name, text]) =>
      (stored[name] ?? text) === text
        ? []
        : [[name, stored[name] ? `Now it says: ${stored[name]}` : "Now it is empty."]],
    ),
  );

export async function changeEntry(
  desk: Desk,
  list: EntryList,
  { id, form }: { id: string; form: FormData },
): Promise<{ kind: "changed"; id: string; did: string } | Refusal> {
  const kind = kinds[list];
  const { editor } = desk;
  const isNew = id === newEntry;
  const names = kind.fields(desk, isNew).map(({ name }) => name);
  const typed = Object.fromEntries(names.map((name) => [name, readField(form, name)]));
  const carryOut = <R extends Changed | Refusal | null>(
    action: string,
    run: (tx: EntryServices["db"]) => Promise<R>,
  ) =>
    desk.db.transaction(async (tx) => {
      const changed = await run(tx);
      if (changed && "note" in changed) {
        const { id: item, title, note } = changed;
        const entry = { action, kind: kind.noun, items: [item], title, note };
        // Somebody who presses the button twice adds one entry.
        const isAgain =
          isNew &&
          (await findLastAction(tx, { items: [item], kinds: [kind.noun], actions: [action] }));
        if (!isAgain) await writeLog(tx, desk.clock, editor, entry);
      }
      return changed;
    });

  const wanted = readField(form, actionField);
  if (wanted !== "save") {
    const action = Object.hasOwn(kind.actions, wanted) ? kind.actions[wanted] : undefined;
    if (!action || isNew) return refuse("Please choose what to do.", form);
    const changed = await carryOut(action.done, (tx) => action.run(desk, tx, id));
    // What somebody else has deleted meanwhile needs no change anymore.
    return { kind: "changed", id: changed?.id ?? id, did: wanted };
  }
  const write = kind.check(desk, typed);
  if (typeof write !== "function") return refuse("This cannot be saved yet.", form, write);
  const typedKey = readField(form, keyField);
  const key = isUuid(typedKey) ? typedKey : crypto.randomUUID();
  const result = await carryOut(isNew ? "added" : "changed", async (tx) => {
    const stored = isNew ? null : await kind.open({ ...desk, db: tx }, id, true);
    if (!stored || hash(stored) === readField(form, seenField))
      return write(tx, { id: isNew ? null : id, key });
    const refusal = refuse(
      `Somebody else has changed this ${kind.noun} since you opened it. Your text is not saved yet: look at the fields below, and save it again.`,
      form,
      describeStored(stored.typed, typed),
    );
    return { ...refusal, typed: { ...refusal.typed, [seenField]: hash(stored) } };
  });
  if (result === null)
    return refuse(`Somebody has deleted this ${kind.noun}. Save it to add it again.`, form);
  return "note" in result ? { kind: "changed", id: result.id, did: wanted } : result;
}
