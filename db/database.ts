import type { Logger } from "drizzle-orm";
import type { PgDatabase, PgQueryResultHKT } from "drizzle-orm/pg-core";

/**
 * What PGlite and Postgres have in common: the query builder, without anything specific to a
 * driver.
 */
export type Database = PgDatabase<PgQueryResultHKT, Record<string, never>>;

export type OpenDatabase = {
  kind: "pglite" | "postgres";
  db: Database;
  /** Runs plain SQL, for the job queue. Without values the text may contain several statements. */
  executeSql(text: string, values?: unknown[]): Promise<{ rows: unknown[] }>;
  /** How many statements were sent through `db` so far. */
  countStatements(): number;
  /** Listens for purges by all nodes. The returned function stops listening. */
  listen(listener: PurgeListener): Promise<() => Promise<void>>;
  /**
   * For a restore: runs `work`, perhaps for minutes, while nothing else can write. Reads continue.
   * Other writes fail, or wait until `work` is done.
   */
  withoutWriters<T>(work: (db: Database) => Promise<T>): Promise<T>;
  /**
   * For a backup: a consistent state of all rows, which can be read for minutes while others write.
   */
  takeSnapshot(): Promise<Snapshot>;
  close(): Promise<void>;
};

export type PurgeListener = {
  onPurge(tags: string[]): void;
  /** The connection is lost, so purges may be missed from now on. */
  onLost(error: Error): void;
  /** The connection works again. Any purge may have been missed in between. */
  onRestored(): void;
};

export type Session = { db: Database; close(): Promise<void> };

/** `source` can be sent to another process, which opens it with `openSnapshot`. */
export type Snapshot = { source: SnapshotSource; remove(): Promise<void> };
export type SnapshotSource = { kind: "folder"; folder: string } | { kind: "postgres"; url: string };

export type DatabaseOptions = {
  dataDir: string;
  databaseUrl?: string | undefined;
  onError(error: Error): void;
};

/** The tables were made by an older version, and no migration leads from there to this version. */
export class OlderDatabaseError extends Error {
  override name = "OlderDatabase";
}

/** Counts the statements of a Drizzle database if it is passed to that database as its logger. */
export function createStatementCount(): Logger & { read(): number } {
  let count = 0;
  return {
    logQuery() {
      count += 1;
    },
    read: () => count,
  };
}
