import { access, constants, open } from "node:fs/promises";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as pause } from "node:timers/promises";
import { hasErrorCode } from "../../app/lib/error-code.ts";
import { errorMessage } from "../../app/lib/log.ts";
import { SetupError } from "./setup-error.ts";

const retryMs = 100;
const explainAfterMs = 5_000;

/** SQLite's result code for "another connection holds the lock". */
const sqliteBusy = 5;

export type Lock = { release(): void };

/**
 * Locks a file, or returns null while another process holds the lock. The operating system releases
 * the lock when the process ends for any reason, so a lock is never stale. Node has no function for
 * such locks, but SQLite, which is part of Node, does: the file is an empty SQLite database in an
 * exclusive transaction.
 */
export async function tryLock(file: string): Promise<Lock | null> {
  await createEmpty(file);
  // SQLite would open a file without write permission for reading, and then lock nothing.
  await access(file, constants.W_OK);
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(file, { timeout: 0 });
    // With the journal in memory a lock needs no disk space, so it works on a full disk.
    database.exec("pragma journal_mode = memory; begin exclusive");
  } catch (error) {
    database?.close();
    const code = error instanceof Error && "errcode" in error ? error.errcode : undefined;
    if (code === sqliteBusy) return null;
    throw new SetupError(
      `Could not lock ${file}: ${errorMessage(error)}. Its file system may not support locks.`,
    );
  }
  return { release: () => database.close() };
}

/** A connection that nothing refers to would be closed. */
const heldConnections: DatabaseSync[] = [];

/**
 * Holds a file until this process ends. Several processes can hold it at the same time, and nobody
 * can lock it meanwhile. This needs only permission to read the file.
 */
export function holdShared(file: string): void {
  const database = new DatabaseSync(file, { readOnly: true });
  heldConnections.push(database);
  // A transaction that has read something keeps a shared lock.
  database.exec("begin; select name from sqlite_schema");
}

/**
 * Creates the file if it does not exist. An existing file is not opened, because closing any handle
 * of a file releases all locks that the process has on it.
 */
async function createEmpty(file: string): Promise<void> {
  try {
    await (await open(file, "wx", 0o600)).close();
  } catch (error) {
    if (!hasErrorCode(error, "EEXIST")) throw error;
  }
}

/** Runs work that only one process may do at a time. Prints a line if it has to wait for long. */
export async function withLock<T>(
  file: string,
  print: (line: string) => void,
  work: () => Promise<T>,
): Promise<T> {
  let lock = await tryLock(file);
  for (let waitedMs = 0; !lock; waitedMs += retryMs) {
    if (waitedMs === explainAfterMs) print(`Waiting for another process that holds ${file} …`);
    await pause(retryMs);
    lock = await tryLock(file);
  }
  try {
    return await work();
  } finally {
    lock.release();
  }
}
