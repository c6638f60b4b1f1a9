import { getTableColumns, type SQL, sql } from "drizzle-orm";
import type { PgColumn, PgTable } from "drizzle-orm/pg-core";
import type { Database } from "./client.ts";

/**
 * Adds many rows in one parameter; those that are there already stay as they are. More than twice as fast on PGlite as a parameter
 * for every value. The first row says which columns are given; the others get their default.
 */
export async function insertRows<T extends PgTable>(
  tx: Pick<Database, "execute">,
  table: T,
  rows: T["$inferInsert"][],
): Promise<void> {
  const [first] = rows;
  if (!first) return;
  const columns = getTableColumns(table);
  const names = sql.join(
    Object.keys(first).map((key) => sql.identifier(columns[key]?.name ?? key)),
    sql`, `,
  );
  await tx.execute(
    sql`insert into ${table} (${names}) select ${names} from json_populate_recordset(null::${table}, ${JSON.stringify(rows, wellFormed)}::json) on conflict do nothing`,
  );
}

/** Half a character, left by a cut, and NUL are none that JSON knows in the database. */
const wellFormed = (_key: string, value: unknown) =>
  typeof value === "string" ? value.toWellFormed().replaceAll("\0", "") : value;

/** One parameter for all of them, where `inArray` takes one for each. */
export const isAnyOf = (column: PgColumn, values: string[]): SQL =>
  sql`${column} = any(${sql.param(values)}::text[])`;
