import { and, desc, eq, notExists, or, sql } from "drizzle-orm";
import { isAnyOf } from "../../../../db/bulk.ts";
import type { Database } from "../../../../db/database.ts";
import { deleteRows } from "../../../../db/rows.ts";
import { eventSubmissions } from "../../events/schema.server.ts";
import { storySubmissions } from "../../stories/schema.server.ts";
import type { Editor } from "../files.server.ts";
import { writeLog } from "../log/log.server.ts";
import type { ItemKind } from "../published/model.ts";
import { deskVersions } from "../published/schema.server.ts";
import type { LogAction } from "../schema.server.ts";
import { changeDraftLike } from "../write/draft-of-item.server.ts";
import type { DraftFields } from "../write/model.ts";
import type { ItemContent } from "./kind.ts";

type ItemRow = { kind: ItemKind; rowId: string };

type Change = {
  /** What the item says now. */
  fields: DraftFields;
  /** What it said before. This is stored as the first version of an item without versions. */
  before: ItemContent | null;
  action?: LogAction | undefined;
  /** A detail of the change for the log, such as the time of an entry. */
  note?: string | undefined;
  at: Date;
  editor: Editor;
};

type Version = typeof deskVersions.$inferSelect;

/**
 * Stores the version and the line of the log of a change, and changes the item's draft like the item.
 * Call this in the transaction of the change, so that no change is without its version.
 */
export async function recordPublication(
  tx: Database,
  { kind, rowId }: ItemRow,
  { fields, before, action, note, at, editor }: Change,
): Promise<void> {
  const [last] = await tx
    .select({ number: deskVersions.number })
    .from(deskVersions)
    .where(and(eq(deskVersions.kind, kind), eq(deskVersions.rowId, rowId)))
    .orderBy(desc(deskVersions.number))
    .limit(1);
  let number = last?.number ?? 0;
  const insert = (version: Omit<Version, "kind" | "rowId" | "number">) => {
    number += 1;
    return tx.insert(deskVersions).values({ ...version, kind, rowId, number });
  };
  if (before && !last) {
    const { fields, at } = before;
    await insert({ fields, at, action: "published", editor: "", editorName: "" });
  }
  const did = action ?? describeChange(before);
  await insert({ fields, action: did, at, editor: editor.email, editorName: editor.name });
  const { title } = fields;
  await writeLog(tx, () => at, editor, { action: did, kind, items: [rowId], title, note });
  if (before) await changeDraftLike(tx, { kind, rowId }, before.fields, fields);
}

function describeChange(before: Change["before"]): LogAction {
  if (!before) return "published";
  return before.state === "published" ? "updated" : "published again";
}

export const listVersions = (db: Database, { kind, rowId }: ItemRow): Promise<Version[]> =>
  db
    .select()
    .from(deskVersions)
    .where(and(eq(deskVersions.kind, kind), eq(deskVersions.rowId, rowId)))
    .orderBy(desc(deskVersions.number));

/** The versions of a reader's story have the reader's name, which is deleted with a rejection. */
export const deleteVersions = (tx: Database, stories: string[]): Promise<number> =>
  deleteRows(
    tx,
    deskVersions,
    and(eq(deskVersions.kind, "story"), isAnyOf(deskVersions.rowId, stories)),
  );

/** Deletes the versions of stories and events that were deleted. */
export function deleteOldVersions(db: Database): Promise<number> {
  const { kind, rowId } = deskVersions;
  const story = db
    .select({ id: storySubmissions.id })
    .from(storySubmissions)
    .where(sql`${storySubmissions.id}::text = ${rowId}`);
  const event = db
    .select({ id: eventSubmissions.id })
    .from(eventSubmissions)
    .where(eq(eventSubmissions.id, rowId));
  return deleteRows(
    db,
    deskVersions,
    or(and(eq(kind, "story"), notExists(story)), and(eq(kind, "event"), notExists(event))),
  );
}
