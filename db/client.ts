import { chmod, mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { PGlite } from "@electric-sql/pglite";
import { drizzle as drizzlePostgres } from "drizzle-orm/node-postgres";
import type { PgDatabase, PgQueryResultHKT } from "drizzle-orm/pg-core";
import { drizzle as drizzlePglite } from "drizzle-orm/pglite";
import pg from "pg";
import { migratePglite, migratePostgres } from "./migrate.ts";
import { openPgliteThread, type PgliteClient } from "./pglite-thread.ts";
import { listenOnPglite, listenOnPostgres, type PurgeListener } from "./purge.ts";

/** What PGlite and Postgres have in common: the query builder, and nothing of either driver. */
export type Database = PgDatabase<PgQueryResultHKT, Record<string, never>>;

export type OpenDatabase = {
  kind: "pglite" | "postgres";
  db: Database;
  /** Plain SQL, for the job queue. Without values it may hold several statements. */
  executeSql(text: string, values?: unknown[]): Promise<{ rows: unknown[] }>;
  /** Hears of outdated pages, whichever node has changed them. The answer ends it. */
  listen(listener: PurgeListener): Promise<() => Promise<void>>;
  close(): Promise<void>;
};

export type DatabaseOptions = {
  dataDir: string;
  databaseUrl?: string | undefined;
  onError(error: Error): void;
};

// PGlite gives int8 and count(*) as numbers; so does pg from here on.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

/** Opens the city's database and brings its tables up to date. */
export function openDatabase({ dataDir, databaseUrl, onError }: DatabaseOptions): Promise<OpenDatabase> {
  return databaseUrl === undefined
    ? openPglite(join(dataDir, "database"), onError)
    : openPostgres(databaseUrl, onError);
}

async function openPglite(folder: string, onError: (error: Error) => void): Promise<OpenDatabase> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  // Also a folder that is there already, since the files inside are readable by everyone.
  await chmod(folder, 0o700);
  return fromPglite(await openPgliteThread({ folder, onError }));
}

export async function fromPglite(client: PgliteClient): Promise<OpenDatabase> {
  // Drizzle's type names the whole class, of which it uses what our client has.
  const db = drizzlePglite({ client: client as unknown as PGlite });
  await migratePglite(db);
  return {
    kind: "pglite",
    db,
    async executeSql(text, values) {
      if (values !== undefined && values.length > 0) return client.query(text, values);
      return { rows: (await client.exec(text)).flatMap((result) => result.rows) };
    },
    listen: (listener) => listenOnPglite(client, listener),
    close: () => client.close(),
  };
}

async function openPostgres(url: string, onError: (error: Error) => void): Promise<OpenDatabase> {
  await migratePostgres(url, onError);
  const pool = new pg.Pool({ connectionString: url, max: 10, connectionTimeoutMillis: 5_000 });
  // Without a handler a connection that the server ends is an uncaught exception.
  pool.on("error", onError);
  return {
    kind: "postgres",
    db: drizzlePostgres({ client: pool }),
    async executeSql(text, values) {
      const results = await pool.query(text, values);
      return { rows: Array.isArray(results) ? results.flatMap((result) => result.rows) : results.rows };
    },
    listen: (listener) => listenOnPostgres(url, listener),
    close: () => pool.end(),
  };
}
