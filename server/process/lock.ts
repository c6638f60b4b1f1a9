import { access, constants, open } from "node:fs/promises";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as pause } from "node:timers/promises";
import { hasErrorCode } from "../../app/lib/error-code.ts";
import { SetupError } from "./setup-error.ts";

const retryMs = 100;
const explainAfterMs = 5_000;

/**
 * The result codes of SQLite for "another connection holds the lock" and "this is not an SQLite
 * file".
 */
const sqliteBusy = 5;
const sqliteNotADatabase = 26;

export type Lock = { release(): void };

/**
 * Locks a file, or gives null while another process holds the lock. The operating system releases
 * it when the process ends, however it ends, so no lock is ever stale and nobody has to guess from
 * process ids. Node has no function for such locks; SQLite, which is part of Node, has: the file is
 * an empty SQLite database in an exclusive transaction.
 */
export async function tryLock(file: string): Promise<Lock | null> {
  await createEmpty(file);
  // SQLite opens a file that it may not write to for reading, and then locks nothing.
  await access(file, constants.W_OK);
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(file, { timeout: 0 });
    // With the journal in memory a lock needs no disk space, which matters on the day the disk is
    // full.
    database.exec("pragma journal_mode = memory; begin exclusive");
  } catch (error) {
    database?.close();
    const code = error instanceof Error && "errcode" in error ? error.errcode : undefined;
    if (code === sqliteBusy) return null;
    throw new SetupError(
      code === sqliteNotADatabase
        ? `${file} is not a lock file of Harborline. Delete it if no server and no command is running.`
        : `${file} cannot be locked: ${error instanceof Error ? error.message : error}. Its file system may not support locks.`,
    );
  }
  return { release: () => database.close() };
}

/**
 * Closing any handle of a file drops the process's locks on it, so a file that exists is not opened
 * here.
 */
async function createEmpty(file: string): Promise<void> {
  try {
    await (await open(file, "wx", 0o600)).close();
  } catch (error) {
    if (!hasErrorCode(error, "EEXIST")) throw error;
  }
}

/**
 * Does something that only one process may do at a time. `say` gets a sentence when that takes
 * long.
 */
export async function withLock<T>(
  file: string,
  say: (line: string) => void,
  work: () => Promise<T>,
): Promise<T> {
  let lock = await tryLock(file);
  for (let waitedMs = 0; !lock; waitedMs += retryMs) {
    if (waitedMs === explainAfterMs) say(`Waiting for another process, which holds ${file} …`);
    await pause(retryMs);
    lock = await tryLock(file);
  }
  try {
    return await work();
  } finally {
    lock.release();
  }
}
