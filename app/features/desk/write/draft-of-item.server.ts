import { and, eq, sql } from "drizzle-orm";
import type { Database } from "../../../../db/database.ts";
import type { Correction } from "../../../site-files/article-fields.server.ts";
import type { ItemKind } from "../published/model.ts";
import { deskDrafts } from "./schema.server.ts";

const isOf = (kind: ItemKind, item: string) =>
  and(eq(deskDrafts.kind, kind), eq(deskDrafts.item, item));

/**
 * Takes back the date of an item's draft, so that an item that is taken down stays down. An editor
 * who has the draft open and publishes it is asked first, because its revision is another one.
 */
export async function holdDraftOf(tx: Database, kind: ItemKind, item: string): Promise<void> {
  await tx
    .update(deskDrafts)
    .set({ publishAt: null, revision: sql`${deskDrafts.revision} + 1` })
    .where(isOf(kind, item));
}

/** Adds a correction to an item's draft, which would otherwise publish the item without it. */
export async function correctDraftOf(
  tx: Database,
  kind: ItemKind,
  item: string,
  { date, text }: Correction,
): Promise<void> {
  const [draft] = await tx.select().from(deskDrafts).where(isOf(kind, item)).for("update");
  if (!draft) return;
  const corrections = [...draft.fields.corrections, { date, text }];
  await tx
    .update(deskDrafts)
    .set({ fields: { ...draft.fields, corrections }, revision: sql`${deskDrafts.revision} + 1` })
    .where(isOf(kind, item));
}
