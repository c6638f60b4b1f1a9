import type { PgDatabase, PgQueryResultHKT } from "drizzle-orm/pg-core";

/** What PGlite and Postgres have in common: the query builder, and nothing of either driver. */
export type Database = PgDatabase<PgQueryResultHKT, Record<string, never>>;

export type OpenDatabase = {
  kind: "pglite" | "postgres";
  db: Database;
  /** Plain SQL, for the job queue. Without values it may hold several statements. */
  executeSql(text: string, values?: unknown[]): Promise<{ rows: unknown[] }>;
  /** Hears of outdated pages, whichever node has changed them. The answer ends it. */
  listen(listener: PurgeListener): Promise<() => Promise<void>>;
  /**
   * For a restore: until the work is done, nobody else can write; reading goes on. What somebody
   * else wants to write meanwhile fails, or waits and is written afterwards. Statements of the work
   * may take minutes.
   */
  withoutWriters<T>(work: (db: Database) => Promise<T>): Promise<T>;
  /**
   * For a backup: all rows as they are at one moment from now on, to be read for minutes while
   * others write.
   */
  takeSnapshot(): Promise<Snapshot>;
  close(): Promise<void>;
};

/** Hears of outdated pages. */
export type PurgeListener = {
  purged(tags: string[]): void;
  /** From now on notices may be missed. */
  lost(error: Error): void;
  /** Notices arrive again; what was missed in between nobody knows. */
  restored(): void;
};

export type Session = { db: Database; close(): Promise<void> };

/** `source` can be sent to another process, which opens it with `openSource`. */
export type Snapshot = { source: SnapshotSource; remove(): Promise<void> };
export type SnapshotSource = { kind: "folder"; folder: string } | { kind: "postgres"; url: string };

export type DatabaseOptions = {
  dataDir: string;
  databaseUrl?: string | undefined;
  onError(error: Error): void;
};
