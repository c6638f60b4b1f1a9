import { chmod, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { PGlite, type PGliteOptions, types } from "@electric-sql/pglite";
import { pg_trgm } from "@electric-sql/pglite/contrib/pg_trgm";
import { unaccent } from "@electric-sql/pglite/contrib/unaccent";
import { drizzle as drizzlePostgres } from "drizzle-orm/node-postgres";
import type { PgDatabase, PgQueryResultHKT } from "drizzle-orm/pg-core";
import { drizzle as drizzlePglite } from "drizzle-orm/pglite";
import pg from "pg";
import { migratePglite, migratePostgres } from "./migrate.ts";
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

// PGlite starts Postgres with fsync off (-F); an acknowledged write must survive a power cut.
const durable = PGlite.defaultStartParams.filter((parameter) => parameter !== "-F");

/** PGlite's own way with bytes goes number by number: a picture of 1 MB held up everybody for half a second. */
const quickBytes = {
  parsers: { [types.BYTEA]: (hex: string) => Buffer.from(hex.slice(2), "hex") },
  serializers: { [types.BYTEA]: (bytes: Uint8Array) => `\\x${Buffer.from(bytes).toString("hex")}` },
};

/** Opens the city's database and brings its tables up to date. */
export function openDatabase(options: DatabaseOptions): Promise<OpenDatabase> {
  return options.databaseUrl === undefined
    ? openPglite(join(options.dataDir, "database"))
    : openPostgres(options.databaseUrl, options.onError);
}

async function openPglite(folder: string): Promise<OpenDatabase> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  // Also a folder that is there already, since the files inside are readable by everyone.
  await chmod(folder, 0o700);
  return fromPglite(await createPglite({ dataDir: folder, startParams: durable }));
}

/** With the two extensions of search, which Postgres itself brings along. */
export const createPglite = (options: PGliteOptions = {}): Promise<PGlite> =>
  PGlite.create({ ...quickBytes, ...options, extensions: { pg_trgm, unaccent } });

export async function fromPglite(client: PGlite): Promise<OpenDatabase> {
  const db = drizzlePglite({ client });
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
