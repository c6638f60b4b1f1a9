import { and, eq, sql } from "drizzle-orm";
import { isAnyOf } from "../../../../db/bulk.ts";
import type { Database } from "../../../../db/database.ts";
import { lockRow, lockRows } from "../../../../db/rows.ts";
import { findLastAction } from "../log/log.server.ts";
import type { ItemKind } from "../published/model.ts";
import type { LogAction } from "../schema.server.ts";
import { type DraftFields, isSameDraft, keepTyped } from "./model.ts";
import { type Draft, deskDrafts } from "./schema.server.ts";

const isOf = (kind: ItemKind, rowId: string) =>
  and(eq(deskDrafts.kind, kind), eq(deskDrafts.rowId, rowId));

/**
 * Removes the dates of the items' drafts, so that the schedule does not publish an item that was
 * taken down or rejected, or waits again, or overwrite one that a command has approved. The new
 * revision makes sure that an editor who has a draft open is asked before it is published.
 */
export async function holdDraftsOf(tx: Database, rowIds: string[]): Promise<void> {
  await tx
    .update(deskDrafts)
    .set({ publishAt: null, revision: sql`${deskDrafts.revision} + 1` })
    .where(isAnyOf(deskDrafts.rowId, rowIds));
}

/** Locks the drafts of these items, like `lockDraftOf`. */
export function lockDraftsOf(tx: Database, items: { id: string }[]): Promise<Draft[]> {
  const ids = items.map(({ id }) => id);
  return lockRows(tx, deskDrafts, isAnyOf(deskDrafts.rowId, ids));
}

/** Lock the draft before the item: publishing locks both in this order. */
export const lockDraftOf = (tx: Database, kind: ItemKind, rowId: string): Promise<Draft | null> =>
  lockRow(tx, deskDrafts, isOf(kind, rowId));

/**
 * Changes an item's draft like the item itself. Otherwise the draft would later publish the item
 * without the change, such as without a correction.
 */
export async function changeDraftOf(
  tx: Database,
  kind: ItemKind,
  rowId: string,
  change: (fields: DraftFields) => Partial<DraftFields>,
): Promise<void> {
  const draft = await lockDraftOf(tx, kind, rowId);
  if (!draft) return;
  await tx
    .update(deskDrafts)
    .set({
      fields: { ...draft.fields, ...change(draft.fields) },
      revision: sql`${deskDrafts.revision} + 1`,
    })
    .where(isOf(kind, rowId));
}

/**
 * Gives an item's draft what somebody has changed in the item, except where an editor has typed
 * something else into the draft. The editor is asked before that is published.
 */
export async function changeDraftLike(
  tx: Database,
  { kind, rowId }: { kind: ItemKind; rowId: string },
  before: DraftFields,
  after: DraftFields,
): Promise<void> {
  if (isSameDraft(before, after)) return;
  await changeDraftOf(tx, kind, rowId, (draft) => keepTyped(before, draft, after));
}

/**
 * What editors do without changing the draft of an item. A decision that updates a story is also an
 * approval.
 */
const notChanges: LogAction[] = [
  "took over",
  "scheduled",
  "unscheduled",
  "could not publish",
  "deleted the draft of",
  "updated",
  "published again",
  "renamed",
];

/** Says what changed a draft with its item since an editor saved it. Null if nothing did. */
export async function describeChangeOf(
  db: Database,
  { kind, rowId, updatedAt }: Draft,
): Promise<string | null> {
  if (rowId === null) return null;
  const wanted = { items: [rowId], not: notChanges, since: updatedAt };
  const change = await findLastAction(db, wanted);
  return change ? `${change.editorName} ${change.action} this ${kind}.` : null;
}
