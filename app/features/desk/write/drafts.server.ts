import { and, desc, eq, getTableColumns, isNull, sql } from "drizzle-orm";
import type { Database } from "../../../../db/database.ts";
import { findRow, lockRow } from "../../../../db/rows.ts";
import { isUuid } from "../../../lib/is-uuid.ts";
import type { Services } from "../../../platform/services.ts";
import type { Editor } from "../files.server.ts";
import { deskKinds } from "../kinds/kinds.server.ts";
import { writeLog } from "../log/log.server.ts";
import type { ItemKind } from "../published/model.ts";
import type { Desk } from "../services.ts";
import {
  type DraftFields,
  emptyFields,
  isSameDraft,
  isTooLarge,
  maxLengths,
  openMinutes,
  titleOf,
} from "./model.ts";
import { type Draft, deskDrafts } from "./schema.server.ts";

export const findDraft = async (db: Database, id: string): Promise<Draft | null> =>
  isUuid(id) ? findRow(db, deskDrafts, eq(deskDrafts.id, id)) : null;

const listedDrafts = 500;

export function listDrafts(db: Database) {
  const { fields, createdAt: _createdAt, ...columns } = getTableColumns(deskDrafts);
  return db
    .select({ ...columns, title: sql<string>`left(${fields}->>'title', ${maxLengths.title})` })
    .from(deskDrafts)
    .orderBy(desc(deskDrafts.updatedAt), desc(deskDrafts.id))
    .limit(listedDrafts);
}

const bySaving = ({ email, name }: Editor, now: Date) => ({
  editor: email,
  editorName: name,
  updatedAt: now,
  ...byOpening({ email, name }, now),
});

const byOpening = ({ email, name }: Editor, now: Date) => ({
  openBy: email,
  openName: name,
  openAt: now,
});

type NewDraft = Pick<Draft, "id" | "kind" | "rowId" | "fields"> & { revision?: number };

/**
 * The first revision of a draft whose id was used before. It is higher than any revision of the
 * earlier draft that a page may still have open, so that this page cannot overwrite the new draft.
 */
const nextRevision = ({ clock }: Pick<Services, "clock">) =>
  Math.floor((clock().getTime() - Date.UTC(2026)) / 1_000);

/** Stores a new draft. Null if there is one with this id. */
async function insertDraft(
  tx: Database,
  { clock, editor }: Desk,
  draft: NewDraft,
): Promise<Draft | null> {
  const now = clock();
  const [stored] = await tx
    .insert(deskDrafts)
    .values({ revision: 1, ...draft, createdAt: now, ...bySaving(editor, now) })
    .onConflictDoNothing()
    .returning();
  return stored ?? null;
}

/** Returns the id of a new draft, or of a draft of this editor in which nothing was typed yet. */
export async function createDraft(
  desk: Desk,
  kind: ItemKind,
  fields = kind === "event" ? emptyFields : { ...emptyFields, authors: desk.editor.name },
): Promise<string> {
  const { db, editor } = desk;
  const [untouched] = await db
    .select({ id: deskDrafts.id })
    .from(deskDrafts)
    .where(
      and(
        eq(deskDrafts.editor, editor.email),
        eq(deskDrafts.kind, kind),
        isNull(deskDrafts.rowId),
        eq(deskDrafts.revision, 1),
        eq(deskDrafts.fields, fields),
      ),
    );
  if (untouched) return untouched.id;
  const id = crypto.randomUUID();
  await db.transaction((tx) => insertDraft(tx, desk, { id, kind, rowId: null, fields }));
  return id;
}

/**
 * Stores as a draft again what an editor typed into one that was deleted or published meanwhile. If
 * it was published, the new draft changes the published item.
 */
export async function restoreDraft(
  desk: Desk,
  { id, kind, fields }: { id: string; kind: ItemKind; fields: DraftFields },
): Promise<Saved> {
  if (!isUuid(id)) return { kind: "gone" };
  const draft = await desk.db.transaction(async (tx) => {
    const rowId = await deskKinds[kind].findOfDraft(tx, id);
    return insertDraft(tx, desk, { id, kind, rowId, fields, revision: nextRevision(desk) });
  });
  // Somebody else restored it at the same moment.
  return draft
    ? { kind: "saved", draft, isSeen: true }
    : saveDraft(desk, { id, revision: 0, fields });
}

/**
 * Returns the id of the draft that changes a published item, and creates the draft if there is
 * none. Null if the item does not exist.
 */
export const openDraftFor = (desk: Desk, kind: ItemKind, rowId: string): Promise<string | null> =>
  desk.db.transaction(async (tx) => {
    const item = await deskKinds[kind].lock(desk, tx, rowId);
    if (!item) return null;
    const id = await item.nameDraft();
    const revision = nextRevision(desk);
    await insertDraft(tx, desk, { id, kind, rowId, fields: item.fields, revision });
    return id;
  });

export type Saved =
  /** `isSeen` is false if the draft changed since the revision that the editor saw. */
  | { kind: "saved"; draft: Draft; isSeen: boolean }
  /** Somebody saved another text since. */
  | { kind: "conflict"; draft: Draft }
  | { kind: "gone" }
  | { kind: "too-large" };

const lockDraft = async (tx: Database, id: string): Promise<Draft | null> =>
  isUuid(id) ? lockRow(tx, deskDrafts, eq(deskDrafts.id, id)) : null;

export async function lockRevision(tx: Database, { id, revision }: Draft): Promise<boolean> {
  return (await lockDraft(tx, id))?.revision === revision;
}

/**
 * Saves what an editor typed, unless somebody has saved another text since the revision that the
 * editor saw. The same text can be saved twice, because the first response may be lost.
 */
export async function saveDraft(
  { db, clock, editor }: Desk,
  { id, revision, fields }: { id: string; revision: number; fields: DraftFields },
): Promise<Saved> {
  if (isTooLarge(fields)) return { kind: "too-large" };
  return db.transaction(async (tx) => {
    const draft = await lockDraft(tx, id);
    if (!draft) return { kind: "gone" };
    const isSame = isSameDraft(draft.fields, fields);
    const isSeen = draft.revision === revision;
    // An editor who has lost the draft to another must not become its editor again.
    if (!isSeen) return isSame ? { kind: "saved", draft, isSeen } : { kind: "conflict", draft };
    const change = isSame
      ? byOpening(editor, clock())
      : { fields, revision: draft.revision + 1, ...bySaving(editor, clock()) };
    const [saved = draft] = await tx
      .update(deskDrafts)
      .set(change)
      .where(eq(deskDrafts.id, id))
      .returning();
    return { kind: "saved", draft: saved, isSeen };
  });
}

export const isOpenElsewhere = (
  draft: Pick<Draft, "openBy" | "openAt">,
  editor: Editor,
  now: Date,
): boolean =>
  draft.openBy !== editor.email && now.getTime() - draft.openAt.getTime() < openMinutes * 60_000;

/** Stores that an editor still has a draft open, if nobody has saved it or taken it over since. */
export async function markOpen(
  { db, clock, editor }: Desk,
  { id, revision }: { id: string; revision: number },
): Promise<Saved> {
  const draft = await findDraft(db, id);
  if (!draft) return { kind: "gone" };
  if (draft.revision !== revision) return { kind: "conflict", draft };
  if (!isOpenElsewhere(draft, editor, clock()))
    await db
      .update(deskDrafts)
      .set(byOpening(editor, clock()))
      .where(and(eq(deskDrafts.id, id), eq(deskDrafts.revision, revision)));
  return { kind: "saved", draft, isSeen: true };
}

/** Stores that an editor has closed a draft, unless another editor has it open. */
export async function markClosed({ db, editor }: Desk, id: string): Promise<void> {
  if (!isUuid(id)) return;
  await db
    .update(deskDrafts)
    .set({ openAt: new Date(0) })
    .where(and(eq(deskDrafts.id, id), eq(deskDrafts.openBy, editor.email)));
}

/**
 * Takes a draft over from the editor who has it open. Because of the new revision, the other
 * editor's page notices this before it saves again.
 */
export async function takeOver({ db, clock, editor }: Desk, id: string): Promise<void> {
  await db.transaction(async (tx) => {
    const draft = await lockDraft(tx, id);
    if (!draft || draft.openBy === editor.email) return;
    await tx
      .update(deskDrafts)
      .set({ revision: draft.revision + 1, ...bySaving(editor, clock()) })
      .where(eq(deskDrafts.id, id));
    await writeLog(tx, clock, editor, {
      action: "took over",
      kind: draft.kind,
      items: [id],
      title: titleOf(draft.fields),
      note: `from ${draft.openName}`,
    });
  });
}

/** Deletes a draft, unless somebody has saved another text since the revision that the editor saw. */
export const deleteDraft = (
  { db, clock, editor }: Desk,
  id: string,
  revision: number,
): Promise<{ kind: "deleted" | "gone" } | { kind: "conflict"; draft: Draft }> =>
  db.transaction(async (tx) => {
    const draft = await lockDraft(tx, id);
    if (!draft) return { kind: "gone" };
    if (draft.revision !== revision) return { kind: "conflict", draft };
    await tx.delete(deskDrafts).where(eq(deskDrafts.id, id));
    await writeLog(tx, clock, editor, {
      action: "deleted the draft of",
      kind: draft.kind,
      items: [id],
      title: titleOf(draft.fields),
    });
    return { kind: "deleted" };
  });
