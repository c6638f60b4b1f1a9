import { type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "../database.ts";
import { everyTag, sendPurge } from "../purge.ts";

/**
 * A dump contains the rows of all tables, each row as a JSON array on a line. Each value is in the
 * database's own text format, which is exact and the same on PGlite and Postgres, so that one can
 * read what the other wrote.
 */
type DumpedTable = z.infer<typeof dumpedTableSchema>;

export const dumpedTableSchema = z.object({
  name: z.string(),
  columns: z.array(z.string()),
  rows: z.number().int().min(0),
  /** Identity columns, and the number that each will assign next. */
  counters: z.array(z.object({ column: z.string(), next: z.number().int() })),
});

export type Batch = { table: string; lines: string[] };

const secretsTable = "secrets";

type Queries = Pick<Database, "execute">;
type Column = z.infer<typeof columnSchema>;
type Table = { name: string; columns: Column[] };

const columnSchema = z.object({
  table: z.string(),
  column: z.string(),
  type: z.string(),
  isCounter: z.boolean(),
});

/** All rows of a batch are in memory at the same time, and rows with images are large. */
const [rowBatchSize, imageBatchSize] = [200, 4];

/**
 * Writes all rows as they are at one moment, even if others change rows meanwhile. On a running
 * site with the built-in database, `db` is a copy of it (`takeSnapshot`), because PGlite has only
 * one connection, which the dump would occupy.
 */
export function dump(
  db: Database,
  write: (batch: Batch, done: number, all: number) => Promise<void>,
): Promise<{ tables: DumpedTable[]; migrations: string[] }> {
  return db.transaction(
    async (tx) => {
      // The text format of values must not depend on the settings of the server.
      await tx.execute(sql`set local timezone to 'UTC'`);
      await tx.execute(sql`set local datestyle to 'ISO'`);
      await tx.execute(sql`set local bytea_output to 'hex'`);
      const tables = await readTables(tx);
      const dumped: DumpedTable[] = [];
      for (const { name, columns } of tables) dumped.push(await describeTable(tx, name, columns));
      const all = dumped.reduce((sum, { rows }) => sum + rows, 0);
      let done = 0;
      for (const { name, columns } of tables) {
        const values = columns.map(({ column }) => sql`${sql.identifier(column)}::text`);
        await tx.execute(
          sql`declare dumped cursor for select json_build_array(${sql.join(values, sql`, `)})::text as line from ${sql.identifier(name)}`,
        );
        const batchSize = columns.some(({ type }) => type === "bytea")
          ? imageBatchSize
          : rowBatchSize;
        for (;;) {
          const rows = await queryRows(
            tx,
            sql`fetch ${sql.raw(String(batchSize))} from dumped`,
            z.object({ line: z.string() }),
          );
          done += rows.length;
          if (rows.length > 0)
            await write({ table: name, lines: rows.map(({ line }) => line) }, done, all);
          if (rows.length < batchSize) break;
        }
        await tx.execute(sql`close dumped`);
      }
      return { tables: dumped, migrations: await readMigrations(tx) };
    },
    { isolationLevel: "repeatable read", accessMode: "read only" },
  );
}

async function describeTable(tx: Queries, name: string, columns: Column[]): Promise<DumpedTable> {
  const [counted] = await queryRows(
    tx,
    sql`select count(*)::int as rows from ${sql.identifier(name)}`,
    z.object({ rows: z.number() }),
  );
  const counters: DumpedTable["counters"] = [];
  for (const { column } of columns.filter(({ isCounter }) => isCounter)) {
    const sequence = sql`pg_get_serial_sequence(quote_ident(${name}::text), ${column}::text)`;
    const [counter] = await queryRows(
      tx,
      sql`select ${sequence} as name`,
      z.object({ name: z.string() }),
    );
    const [state] = await queryRows(
      tx,
      sql`select (last_value + case when is_called then 1 else 0 end)::int8 as next from ${sql.raw(counter?.name ?? "")}`,
      z.object({ next: z.coerce.number() }),
    );
    counters.push({ column, next: state?.next ?? 1 });
  }
  return { name, columns: columns.map(({ column }) => column), rows: counted?.rows ?? 0, counters };
}

/** Why a dump cannot be restored into this database, as a message; null if it can. */
export async function findIncompatibility(
  db: Queries,
  dumped: { migrations: string[] },
): Promise<string | null> {
  const known = await readMigrations(db);
  if (dumped.migrations[0] !== known[0])
    return "It was made by an older version of Harborline, whose backups this version cannot restore.";
  if (dumped.migrations.some((migration) => !known.includes(migration)))
    return "It was made by a newer version of Harborline. Update this installation first.";
  return null;
}

/**
 * Counts the rows that a restore would replace, by table. Tables that the site fills again
 * automatically do not count.
 */
export async function countExistingRows(
  db: Queries,
  derivedTables: string[],
): Promise<{ table: string; rows: number }[]> {
  const tables = await readTables(db);
  const counts: { table: string; rows: number }[] = [];
  for (const { name, columns } of tables.filter(
    (table) => table.name !== secretsTable && !derivedTables.includes(table.name),
  ))
    counts.push({ table: name, rows: (await describeTable(db, name, columns)).rows });
  return counts.filter(({ rows }) => rows > 0);
}

/**
 * Waits for transactions that are writing, and blocks other writes until this transaction ends.
 * Reads are not blocked.
 */
export async function lockTables(tx: Queries): Promise<void> {
  const names = (await readTables(tx)).map(({ name }) => sql.identifier(name));
  await tx.execute(sql`lock table ${sql.join(names, sql`, `)} in exclusive mode`);
}

/** Replaces all rows in the database with those of a dump. If anything fails, nothing changes. */
export async function load(
  db: Database,
  dumped: DumpedTable[],
  batches: AsyncIterable<Batch>,
  onProgress: (done: number, all: number) => void,
  /** Adjusts the restored rows before they become visible. */
  adjustRows: (tx: Pick<Database, "insert" | "update">) => Promise<void> = async () => {},
): Promise<void> {
  await db.transaction(async (tx) => {
    // While `withoutWriters` runs, transactions of the built-in database are read-only by default.
    await tx.execute(sql`set transaction read write`);
    const tables = await readTables(tx);
    // A statement that has read a table and waits until it may write blocks TRUNCATE, which waits
    // for readers. DELETE needs no more than the lock that `lockTables` has.
    for (const { name } of tables.toReversed())
      await tx.execute(sql`delete from ${sql.identifier(name)}`);
    const all = dumped.reduce((sum, { rows }) => sum + rows, 0);
    let done = 0;
    for await (const { table, lines } of batches) {
      const columns = dumped.find(({ name }) => name === table)?.columns ?? [];
      const currentColumns = tables.find(({ name }) => name === table)?.columns ?? [];
      const types = columns.map(
        (column) => currentColumns.find((each) => each.column === column)?.type ?? "text",
      );
      await tx.execute(insertStatement(table, columns, types, lines));
      done += lines.length;
      onProgress(done, all);
    }
    for (const { name, counters } of dumped) {
      // Unlike setval(), this is rolled back with the transaction.
      for (const { column, next } of counters) {
        const [{ sequence } = { sequence: "" }] = await queryRows(
          tx,
          sql`select pg_get_serial_sequence(quote_ident(${name}), ${column}) as sequence`,
          z.object({ sequence: z.string() }),
        );
        await tx.execute(sql.raw(`alter sequence ${sequence} restart with ${next}`));
      }
    }
    await adjustRows(tx);
    await sendPurge(tx, [everyTag]);
  });
}

/** Passes all rows as one parameter. The database casts each value to the type of its column. */
function insertStatement(table: string, columns: string[], types: string[], lines: string[]): SQL {
  const values = types.map(
    (type, index) => sql`(row->>${sql.raw(String(index))})::${sql.raw(type)}`,
  );
  return sql`insert into ${sql.identifier(table)} (${sql.join(
    columns.map((column) => sql.identifier(column)),
    sql`, `,
  )}) overriding system value select ${sql.join(values, sql`, `)} from jsonb_array_elements(${`[${lines.join(",")}]`}::jsonb) as row`;
}

/**
 * Lists all tables with the columns of a dump. A table comes after the tables that its foreign keys
 * refer to, so that rows can be restored in this order.
 */
async function readTables(db: Queries): Promise<Table[]> {
  const columns = await queryRows(
    db,
    sql`select c.relname as "table", a.attname as "column", format_type(a.atttypid, a.atttypmod) as "type",
          a.attidentity <> '' as "isCounter"
        from pg_class c join pg_attribute a on a.attrelid = c.oid
        where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
          and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
        order by c.relname, a.attnum`,
    columnSchema,
  );
  const references = await queryRows(
    db,
    sql`select t.relname as "from", o.relname as "to"
        from pg_constraint r join pg_class t on t.oid = r.conrelid join pg_class o on o.oid = r.confrelid
        where r.contype = 'f' and t.oid <> o.oid`,
    z.object({ from: z.string(), to: z.string() }),
  );
  const byName = Map.groupBy(columns, ({ table }) => table);
  const ordered = new Set<string>();
  const addInOrder = (name: string) => {
    for (const { to } of references.filter(({ from }) => from === name))
      if (!ordered.has(to)) addInOrder(to);
    ordered.add(name);
  };
  for (const name of byName.keys()) addInOrder(name);
  return [...ordered].flatMap((name) => {
    const tableColumns = byName.get(name);
    return tableColumns ? [{ name, columns: tableColumns }] : [];
  });
}

/** The hashes of the migrations that were applied, in their order. */
export async function readMigrations(db: Queries): Promise<string[]> {
  const rows = await queryRows(
    db,
    sql`select hash from drizzle.__drizzle_migrations order by created_at`,
    z.object({ hash: z.string() }),
  );
  return rows.map(({ hash }) => hash);
}

/**
 * Runs a query and parses its rows, the only part of the result that PGlite and pg have in common.
 */
export async function queryRows<T>(db: Queries, query: SQL, row: z.ZodType<T>): Promise<T[]> {
  return z.object({ rows: z.array(row) }).parse(await db.execute(query)).rows;
}
