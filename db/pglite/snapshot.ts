import { constants, cp, mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { Snapshot } from "../database.ts";
import type { PgliteClient } from "./client.ts";
import { freeBytes } from "./disk-space.ts";

const copyPrefix = (folder: string) => `${basename(folder)}-copy-`;

/**
 * Copies the database as it is at one moment. PGlite has only one session, so a long read of the
 * database itself would make all other queries wait. They wait only while the files are copied. The
 * copy is in the state that a power failure would leave, and Postgres recovers from it when the copy
 * is opened.
 */
export async function copyDatabase(client: PgliteClient, folder: string): Promise<Snapshot> {
  await requireSpace(folder);
  const copy = await mkdtemp(join(dirname(folder), copyPrefix(folder)));
  const remove = () => rm(copy, { recursive: true, force: true });
  try {
    await client.transaction(async (tx) => {
      // This statement flushes asynchronous commits from the buffers of the write-ahead log to its
      // file.
      await tx.query("select pg_logical_emit_message(false, 'backup', '', true)");
      await cp(folder, copy, { recursive: true, mode: constants.COPYFILE_FICLONE });
    });
  } catch (error) {
    await remove();
    throw error;
  }
  return { source: { kind: "folder", folder: copy }, remove };
}

/** Removes copies that were left behind by a process that was killed during a backup. */
export async function removeCopies(folder: string): Promise<void> {
  const leftovers = (await readdir(dirname(folder))).filter((name) =>
    name.startsWith(copyPrefix(folder)),
  );
  for (const name of leftovers)
    await rm(join(dirname(folder), name), { recursive: true, force: true });
}

/**
 * Rejects if there is too little space, because a copy that fills the disk would stop the database.
 */
async function requireSpace(folder: string): Promise<void> {
  let bytes = 0;
  for (const path of await readdir(folder, { recursive: true })) {
    // The database may delete a file at any time.
    bytes += await stat(join(folder, path)).then(
      ({ size }) => size,
      () => 0,
    );
  }
  if ((await freeBytes(folder)) < 2 * bytes)
    throw Object.assign(new Error("no space for a copy"), { code: "ENOSPC" });
}
