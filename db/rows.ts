import { type SQL, sql } from "drizzle-orm";
import type { PgColumn, PgTable } from "drizzle-orm/pg-core";
import type { Database } from "./database.ts";

type Rows<T extends PgTable> = T["$inferSelect"][];

export async function findRow<T extends PgTable>(
  db: Pick<Database, "select">,
  table: T,
  where: SQL | undefined,
): Promise<T["$inferSelect"] | null> {
  const rows: Rows<T> = await db
    .select()
    .from(table as PgTable)
    .where(where)
    .limit(1);
  return rows[0] ?? null;
}

/** Does the same as `findRow`, and locks the row until the transaction ends. */
export async function lockRow<T extends PgTable>(
  tx: Pick<Database, "select">,
  table: T,
  where: SQL | undefined,
): Promise<T["$inferSelect"] | null> {
  const rows: Rows<T> = await tx
    .select()
    .from(table as PgTable)
    .where(where)
    .for("update");
  return rows[0] ?? null;
}

/**
 * Returns the rows that match, and locks them until the transaction ends. All callers lock rows in
 * the order of their ids, so that two transactions never wait for each other.
 */
export const lockRows = <T extends PgTable & { id: PgColumn }>(
  tx: Pick<Database, "select">,
  table: T,
  where: SQL | undefined,
): Promise<Rows<T>> =>
  tx
    .select()
    .from(table as PgTable)
    .where(where)
    .orderBy(table.id)
    .for("update");

/** Deletes rows, and returns their number. A condition that is missing by mistake deletes nothing. */
export async function deleteRows<T extends PgTable>(
  db: Pick<Database, "delete">,
  table: T,
  where: SQL | undefined,
): Promise<number> {
  if (!where) throw new Error("Rows are deleted only under a condition.");
  // The drivers of the two databases count rows in different ways, so the rows are counted here.
  const deleted = await db.delete(table).where(where).returning({ one: sql`1` });
  return deleted.length;
}
