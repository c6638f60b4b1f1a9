import { chmod, mkdir, readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { PGlite } from "@electric-sql/pglite";
import type { Logger } from "drizzle-orm";
import { drizzle } from "drizzle-orm/pglite";
import {
  createStatementCount,
  type DatabaseOptions,
  type OpenDatabase,
  type Session,
  type SnapshotSource,
} from "./database.ts";
import { migratePglite } from "./migrate.ts";
import type { PgliteClient } from "./pglite/client.ts";
import { minBytesToCreate, watchDiskSpace } from "./pglite/disk-space.ts";
import { createDatabase } from "./pglite/empty-database.ts";
import { createPglite, durableStartParams } from "./pglite/open.ts";
import { copyDatabase, removeCopies } from "./pglite/snapshot.ts";
import { openPgliteThread } from "./pglite/thread.ts";
import { openPostgres, openSession } from "./postgres.ts";
import { listenOnPglite } from "./purge.ts";

export function openDatabase({
  dataDir,
  databaseUrl,
  onError,
}: DatabaseOptions): Promise<OpenDatabase> {
  return databaseUrl === undefined
    ? openPglite(join(dataDir, "database"), onError)
    : openPostgres(databaseUrl, onError);
}

async function openPglite(folder: string, onError: (error: Error) => void): Promise<OpenDatabase> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  // `mkdir` does not change the mode of an existing folder, whose files other users could read.
  await chmod(folder, 0o700);
  await removeCopies(folder);
  const files = await readdir(folder);
  if (files.length === 0) {
    await watchDiskSpace(dirname(folder)).requireSpace(minBytesToCreate);
    await createDatabase(folder);
  }
  // PGlite would create a new database in place of the one whose file is missing.
  else if (!files.includes("PG_VERSION")) throw new Error("its file PG_VERSION is missing");
  const prepare = (client: PgliteClient) => migratePglite(drizzleOn(client));
  const client = await openPgliteThread({ folder, onError, prepare });
  return toOpenDatabase(client, () => copyDatabase(client, folder));
}

/**
 * Opens a snapshot for reading. The copy of a built-in database is temporary, so -F turns off
 * syncing its files to disk.
 */
export async function openSnapshot(
  source: SnapshotSource,
  onError: (error: Error) => void,
): Promise<Session> {
  if (source.kind === "postgres") return openSession(source.url, onError);
  const client = await createPglite({
    dataDir: source.folder,
    startParams: [...durableStartParams, "-F"],
  });
  return { db: drizzle({ client }), close: () => client.close() };
}

export async function fromPglite(client: PgliteClient): Promise<OpenDatabase> {
  await migratePglite(drizzleOn(client));
  return toOpenDatabase(client, async () => {
    throw new Error("A database in memory has no files to copy.");
  });
}

// Drizzle's type requires the whole class, but Drizzle uses only what our client has.
const drizzleOn = (client: PgliteClient, logger?: Logger) =>
  drizzle({ client: client as unknown as PGlite, ...(logger && { logger }) });

function toOpenDatabase(
  client: PgliteClient,
  takeSnapshot: OpenDatabase["takeSnapshot"],
): OpenDatabase {
  const statements = createStatementCount();
  const db = drizzleOn(client, statements);
  return {
    kind: "pglite",
    db,
    countStatements: statements.read,
    async executeSql(text, values) {
      if (values !== undefined && values.length > 0) return client.query(text, values);
      return { rows: (await client.exec(text)).flatMap((result) => result.rows) };
    },
    listen: (listener) => listenOnPglite(client, listener),
    async withoutWriters(work) {
      await client.setReadOnly(true);
      try {
        return await work(db);
      } finally {
        await client.setReadOnly(false);
      }
    },
    takeSnapshot,
    close: () => client.close(),
  };
}
