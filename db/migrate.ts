import { join } from "node:path";
import { drizzle } from "drizzle-orm/node-postgres";
import { migrate as runOnPostgres } from "drizzle-orm/node-postgres/migrator";
import type { PgliteDatabase } from "drizzle-orm/pglite";
import { migrate as runOnPglite } from "drizzle-orm/pglite/migrator";
import pg from "pg";
import { connectionTo, connectWithinMs, longWorkMs } from "./postgres.ts";

/** As the city's folder, from where the server is started: once bundled, this file is elsewhere. */
const migrationsFolder = join("db", "migrations");

/** Any fixed number: nodes that start together wait for the one that migrates. */
const migrationLock = 4_104_500;

export const migratePglite = (db: PgliteDatabase): Promise<void> => runOnPglite(db, { migrationsFolder });

export async function migratePostgres(url: string, onError: (error: Error) => void): Promise<void> {
  await requireAnswer(url, onError);
  // An advisory lock belongs to a session, so lock and migrations share one client of their own.
  const client = new pg.Client(connectionTo(url, longWorkMs));
  client.on("error", onError);
  await client.connect();
  try {
    await client.query("select pg_advisory_lock($1)", [migrationLock]);
    await runOnPostgres(drizzle({ client }), { migrationsFolder });
  } finally {
    await client.end();
  }
}

/** Migrations may take long and have no short timeout, so a server that never answers is noticed before them. */
async function requireAnswer(url: string, onError: (error: Error) => void): Promise<void> {
  const client = new pg.Client(connectionTo(url, connectWithinMs));
  client.on("error", onError);
  await client.connect();
  try {
    await client.query("select 1");
  } finally {
    await client.end();
  }
}
