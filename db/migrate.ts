import { join } from "node:path";
import { sql } from "drizzle-orm";
import { readMigrationFiles } from "drizzle-orm/migrator";
import { drizzle } from "drizzle-orm/node-postgres";
import { migrate as runOnPostgres } from "drizzle-orm/node-postgres/migrator";
import type { PgliteDatabase } from "drizzle-orm/pglite";
import { migrate as runOnPglite } from "drizzle-orm/pglite/migrator";
import pg from "pg";
import { z } from "zod";
import { connectionSettings, connectTimeoutMs, longTimeoutMs } from "./postgres-connection.ts";

/**
 * Relative to the folder in which the server is started, not to this file, because the build moves
 * this file's code into a bundle.
 */
const migrationsFolder = join("db", "migrations");

/**
 * An arbitrary key for the advisory lock. Nodes that start together wait for the one that migrates.
 */
const migrationLock = 4_104_500;

const tableCheck = z.object({ exists: z.boolean() });
const lastMigration = z.object({ last: z.number().nullable() });

/**
 * Runs the migrator only if necessary, because Drizzle would always try to create its own tables,
 * which fails in a read-only database.
 */
export async function migratePglite(db: PgliteDatabase): Promise<void> {
  if (!(await isUpToDate(db))) await runOnPglite(db, { migrationsFolder });
}

async function isUpToDate(db: PgliteDatabase): Promise<boolean> {
  const table = await db.execute(
    sql`select to_regclass('drizzle.__drizzle_migrations') is not null as "exists"`,
  );
  if (!tableCheck.parse(table.rows[0]).exists) return false;
  const done = await db.execute(
    sql`select max(created_at)::float8 as last from drizzle.__drizzle_migrations`,
  );
  const newest = Math.max(
    ...readMigrationFiles({ migrationsFolder }).map(({ folderMillis }) => folderMillis),
  );
  return (lastMigration.parse(done.rows[0]).last ?? 0) >= newest;
}

export async function migratePostgres(url: string, onError: (error: Error) => void): Promise<void> {
  await requireResponse(url, onError);
  // An advisory lock belongs to a session, so the lock and the migrations share a separate client.
  const client = new pg.Client(connectionSettings(url, longTimeoutMs));
  client.on("error", onError);
  await client.connect();
  try {
    await client.query("select pg_advisory_lock($1)", [migrationLock]);
    await runOnPostgres(drizzle({ client }), { migrationsFolder });
  } finally {
    await client.end();
  }
}

/**
 * Migrations may take long and have a long timeout, so we check first, with a short timeout, that
 * the server responds.
 */
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
