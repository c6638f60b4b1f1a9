import { join } from "node:path";
import { sql } from "drizzle-orm";
import { readMigrationFiles } from "drizzle-orm/migrator";
import { drizzle } from "drizzle-orm/node-postgres";
import { migrate as runOnPostgres } from "drizzle-orm/node-postgres/migrator";
import type { PgliteDatabase } from "drizzle-orm/pglite";
import { migrate as runOnPglite } from "drizzle-orm/pglite/migrator";
import pg from "pg";
import { z } from "zod";
import { queryRows, readMigrations } from "./backup/dump.ts";
import { type Database, OlderDatabaseError } from "./database.ts";
import { connectionSettings, connectTimeoutMs, longTimeoutMs } from "./postgres-connection.ts";

/**
 * Relative to the folder in which the server is started, not to this file, because the build moves
 * this code into a bundle.
 */
const migrationsFolder = join("db", "migrations");

/**
 * An arbitrary key for the advisory lock. Nodes that start together wait for the one that migrates.
 */
const migrationLock = 4_104_500;

/**
 * Runs Drizzle's migrator only if necessary, because it always tries to create its own tables,
 * which fails in a read-only database.
 */
export async function migratePglite(db: PgliteDatabase): Promise<void> {
  if (!(await isUpToDate(db))) await runOnPglite(db, { migrationsFolder });
}

/** Whether all migrations were applied. Fails if the tables were made by other migrations. */
async function isUpToDate(db: Pick<Database, "execute">): Promise<boolean> {
  const query = sql`select to_regclass('drizzle.__drizzle_migrations') is not null as "exists"`;
  const [table] = await queryRows(db, query, z.object({ exists: z.boolean() }));
  if (!table?.exists) return false;
  const applied = await readMigrations(db);
  const known = readMigrationFiles({ migrationsFolder }).map(({ hash }) => hash);
  if (applied.length > 0 && applied[0] !== known[0]) throw new OlderDatabaseError();
  return applied.some((hash) => hash === known.at(-1));
}

export async function migratePostgres(url: string, onError: (error: Error) => void): Promise<void> {
  await requireResponse(url, onError);
  // An advisory lock belongs to a session, so the lock and the migrations share a separate client.
  const client = new pg.Client(connectionSettings(url, longTimeoutMs));
  client.on("error", onError);
  await client.connect();
  try {
    await client.query("select pg_advisory_lock($1)", [migrationLock]);
    const db = drizzle({ client });
    if (!(await isUpToDate(db))) await runOnPostgres(db, { migrationsFolder });
  } finally {
    await client.end();
  }
}

/** Checks with a short timeout that the server responds, because migrations have a long timeout. */
async function requireResponse(url: string, onError: (error: Error) => void): Promise<void> {
  const client = new pg.Client(connectionSettings(url, connectTimeoutMs));
  client.on("error", onError);
  await client.connect();
  try {
    await client.query("select 1");
  } finally {
    await client.end();
  }
}
