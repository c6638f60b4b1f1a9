import { and, desc, eq } from "drizzle-orm";
import type { Database } from "../../../../db/database.ts";
import type { Services } from "../../../platform/services.ts";
import { findStoryRow, readFields } from "../../stories/desk/rows.server.ts";
import type { Editor } from "../files.server.ts";
import { writeLog } from "../log/log.server.ts";
import {
  type DraftFields,
  type DraftKind,
  emptyFields,
  isSameDraft,
  openMinutes,
} from "./model.ts";
import { deskDrafts } from "./schema.server.ts";

export type Draft = typeof deskDrafts.$inferSelect;
type DraftServices = Pick<Services, "db" | "clock">;

const uuidPattern = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
export const isUuid = (text: string) => uuidPattern.test(text);

/** The title of a draft in lists and in the log. */
export const titleOf = ({ title }: DraftFields) => title.trim() || "Without a title";

export async function findDraft(db: Database, id: string): Promise<Draft | null> {
  if (!isUuid(id)) return null;
  const [draft] = await db.select().from(deskDrafts).where(eq(deskDrafts.id, id));
  return draft ?? null;
}

/** All drafts, those that changed last first. */
export const listDrafts = (db: Database): Promise<Draft[]> =>
  db.select().from(deskDrafts).orderBy(desc(deskDrafts.updatedAt), desc(deskDrafts.id));

/** The values that say who saved a draft and has it open. */
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

type NewDraft = {
  /** The id of a draft that was deleted while an editor had it open. */
  id?: string;
  kind: DraftKind;
  item?: string;
  fields: DraftFields;
};

async function insertDraft(
  tx: Database,
  { clock }: Pick<Services, "clock">,
  editor: Editor,
  draft: NewDraft,
): Promise<string | null> {
  const now = clock();
  const [stored] = await tx
    .insert(deskDrafts)
    .values({ ...draft, revision: 1, createdAt: now, ...bySaving(editor, now) })
    .onConflictDoNothing()
    .returning({ id: deskDrafts.id });
  if (!stored) return null;
  await writeLog(tx, clock, editor, {
    action: draft.item === undefined ? "began" : "began to edit",
    kind: draft.kind,
    items: [stored.id],
    title: titleOf(draft.fields),
  });
  return stored.id;
}

/** Stores a new draft. Returns its id. */
export async function createDraft(
  services: DraftServices,
  editor: Editor,
  {
    kind,
    fields = { ...emptyFields, authors: editor.name },
    ...ids
  }: Partial<NewDraft> & {
    kind: DraftKind;
  },
): Promise<string> {
  const created = await services.db.transaction((tx) =>
    insertDraft(tx, services, editor, { ...ids, kind, fields }),
  );
  // Another request has created the draft with this id, and no other column has to be unique.
  return created ?? ids.id ?? "";
}

const findDraftOf = async (db: Database, kind: DraftKind, item: string): Promise<Draft | null> => {
  const [draft] = await db
    .select()
    .from(deskDrafts)
    .where(and(eq(deskDrafts.kind, kind), eq(deskDrafts.item, item)));
  return draft ?? null;
};

/**
 * Returns the id of the draft that changes a published item. If the item has no draft, creates one
 * with its current version. Null if the item does not exist.
 */
export async function openDraftFor(
  services: DraftServices,
  editor: Editor,
  kind: DraftKind,
  item: string,
): Promise<string | null> {
  const known = await findDraftOf(services.db, kind, item);
  if (known) return known.id;
  const fields = await readPublished(services.db, item);
  if (!fields) return null;
  const created = await services.db.transaction((tx) =>
    // The draft of a story has the story's id: see `receiveDraft`.
    insertDraft(tx, services, editor, { id: item, kind, item, fields }),
  );
  return created ?? (await findDraftOf(services.db, kind, item))?.id ?? null;
}

/** Whether a draft changes a reader's story, which has plain text, no summary, and its own photos. */
export const isPlainText = async (db: Database, item: string | null): Promise<boolean> =>
  item !== null && (await findStoryRow(db, { id: item }))?.origin === "reader";

/** The current version of a published story, as an editor types it. */
export async function readPublished(db: Database, item: string): Promise<DraftFields | null> {
  const row = isUuid(item) ? await findStoryRow(db, { id: item }) : null;
  if (!row) return null;
  const { authors, image, ...fields } = await readFields(db, row);
  const { id, ...photo } = image ?? { id: "", alt: "", caption: "", credit: "" };
  return { ...fields, authors: authors.join(", "), image: id, ...photo };
}

export type Saved =
  | { kind: "saved"; draft: Draft }
  /** Somebody saved another text since. */
  | { kind: "conflict"; draft: Draft }
  | { kind: "missing" };

async function lockDraft(tx: Database, id: string): Promise<Draft | null> {
  const [draft] = await tx.select().from(deskDrafts).where(eq(deskDrafts.id, id)).for("update");
  return draft ?? null;
}

/** Locks a draft if it still has a revision. */
export async function lockRevision(tx: Database, { id, revision }: Draft): Promise<boolean> {
  return (await lockDraft(tx, id))?.revision === revision;
}

/**
 * Saves what an editor typed, if nobody has saved another text since the revision that the editor
 * saw. The same text can be saved twice, because the response to the first save may be lost.
 */
export async function saveDraft(
  { db, clock }: DraftServices,
  editor: Editor,
  { id, revision, fields }: { id: string; revision: number; fields: DraftFields },
): Promise<Saved> {
  if (!isUuid(id)) return { kind: "missing" };
  return db.transaction(async (tx) => {
    const draft = await lockDraft(tx, id);
    if (!draft) return { kind: "missing" };
    const isSame = isSameDraft(draft.fields, fields);
    if (draft.revision !== revision && !isSame) return { kind: "conflict", draft };
    const change = isSame
      ? byOpening(editor, clock())
      : { fields, revision: draft.revision + 1, ...bySaving(editor, clock()) };
    const [saved = draft] = await tx
      .update(deskDrafts)
      .set(change)
      .where(eq(deskDrafts.id, id))
      .returning();
    return { kind: "saved", draft: saved };
  });
}

/** Whether another editor has the draft open. */
export const isOpenElsewhere = (draft: Draft, editor: Editor, now: Date): boolean =>
  draft.openBy !== editor.email && now.getTime() - draft.openAt.getTime() < openMinutes * 60_000;

/** Stores that an editor still has a draft open, if nobody has saved it or taken it over since. */
export async function markOpen(
  { db, clock }: DraftServices,
  editor: Editor,
  { id, revision }: { id: string; revision: number },
): Promise<Saved> {
  const draft = await findDraft(db, id);
  if (!draft) return { kind: "missing" };
  if (draft.revision !== revision) return { kind: "conflict", draft };
  if (!isOpenElsewhere(draft, editor, clock()))
    await db.update(deskDrafts).set(byOpening(editor, clock())).where(eq(deskDrafts.id, id));
  return { kind: "saved", draft };
}

/**
 * Takes a draft over from the editor who has it open. The new revision makes sure that the other
 * page notices before it saves again.
 */
export async function takeOver(
  { db, clock }: DraftServices,
  editor: Editor,
  id: string,
): Promise<void> {
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

/** Deletes a draft with its images. What is published stays as it is. */
export async function deleteDraft(
  { db, clock }: DraftServices,
  editor: Editor,
  id: string,
): Promise<void> {
  if (!isUuid(id)) return;
  await db.transaction(async (tx) => {
    const [deleted] = await tx.delete(deskDrafts).where(eq(deskDrafts.id, id)).returning();
    if (!deleted) return;
    await writeLog(tx, clock, editor, {
      action: "deleted the draft of",
      kind: deleted.kind,
      items: [id],
      title: titleOf(deleted.fields),
    });
  });
}
