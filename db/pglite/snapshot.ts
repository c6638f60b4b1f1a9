import { constants, copyFile, mkdir, mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { z } from "zod";
import type { Snapshot } from "../database.ts";
import type { PgliteClient } from "./client.ts";
import { freeBytes } from "./disk-space.ts";

/** The modification times of a file system may be rounded to this precision. */
const clockStepMs = 1_000;

/** Node has four threads for file operations. One stays free for requests. */
const maxConcurrentCopies = 3;

const copyPrefix = (folder: string) => `${basename(folder)}-copy-`;

/**
 * Copies the database as it is at one moment. PGlite has only one session, so a long read of the
 * database itself would make all other queries wait. First the files are copied while queries
 * continue. Then queries wait for a short time while the files that have changed meanwhile are
 * copied again. The copy is in the state that a power failure would leave, and Postgres recovers
 * from it when the copy is opened.
 */
export async function copyDatabase(client: PgliteClient, folder: string): Promise<Snapshot> {
  await requireSpace(folder, await findNeededLogFiles(client));
  const copy = await mkdtemp(join(dirname(folder), copyPrefix(folder)));
  const remove = () => rm(copy, { recursive: true, force: true });
  try {
    const copied = await copyChanges(folder, copy, await findNeededLogFiles(client), new Map());
    await client.transaction(async (tx) => {
      // This statement flushes asynchronous commits from the buffers of the write-ahead log to its
      // file.
      await tx.query("select pg_logical_emit_message(false, 'backup', '', true)");
      await copyChanges(folder, copy, await findNeededLogFiles(tx), copied);
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

type IsNeeded = (path: string) => boolean;

/**
 * Returns a filter that excludes files of the write-ahead log that recovery does not need. Recovery
 * needs only those since the last checkpoint. The others, which are older or recycled for later
 * use, can take up a gigabyte.
 */
async function findNeededLogFiles(client: Pick<PgliteClient, "query">): Promise<IsNeeded> {
  const { rows } = await client.query(
    `select redo_wal_file as first, pg_walfile_name(pg_current_wal_insert_lsn()) as last from pg_control_checkpoint()`,
  );
  const { first, last } = z.object({ first: z.string(), last: z.string() }).parse(rows[0]);
  return (path) => {
    const name = /^pg_wal\/([0-9A-F]{24})$/.exec(path)?.[1];
    return name === undefined || (name >= first && name <= last);
  };
}

/**
 * Rejects if there is too little space, because a copy that fills the disk would stop the database.
 */
async function requireSpace(folder: string, isNeeded: IsNeeded): Promise<void> {
  const sizes = await Promise.all(
    (await listFiles(folder)).filter(isNeeded).map((path) =>
      stat(join(folder, path)).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  );
  const needed = sizes.reduce((sum, size) => sum + size, 0);
  if ((await freeBytes(folder)) < 2 * needed)
    throw Object.assign(new Error("no space for a copy"), { code: "ENOSPC" });
}

type CopiedFiles = Map<string, { mtimeMs: number; size: number; mayHaveChanged: boolean }>;

/** Copies files that are new or have changed since they were copied, and removes deleted ones. */
async function copyChanges(
  from: string,
  to: string,
  isNeeded: IsNeeded,
  copied: CopiedFiles,
): Promise<CopiedFiles> {
  const currentFiles: CopiedFiles = new Map();
  const paths = (await listFiles(from, to)).filter(isNeeded).values();
  const copyFiles = async () => {
    for (const path of paths) {
      try {
        const { mtimeMs, size } = await stat(join(from, path));
        const before = copied.get(path);
        const isSame =
          before && !before.mayHaveChanged && before.mtimeMs === mtimeMs && before.size === size;
        currentFiles.set(path, {
          mtimeMs,
          size,
          mayHaveChanged: Date.now() - mtimeMs < clockStepMs,
        });
        if (!isSame) await copyFile(join(from, path), join(to, path), constants.COPYFILE_FICLONE);
      } catch (error) {
        // The database deletes files while the first copy is made.
        if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) throw error;
        currentFiles.delete(path);
      }
    }
  };
  await Promise.all(Array.from({ length: maxConcurrentCopies }, copyFiles));
  for (const path of copied.keys())
    if (!currentFiles.has(path)) await rm(join(to, path), { force: true });
  return currentFiles;
}

/**
 * Lists the paths of all files in a folder. If `createFoldersIn` is given, also creates the same
 * subfolders there.
 */
async function listFiles(folder: string, createFoldersIn?: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const toPath = ({ parentPath, name }: { parentPath: string; name: string }) =>
    join(parentPath, name).slice(folder.length + 1);
  if (createFoldersIn !== undefined)
    for (const entry of entries.filter((each) => each.isDirectory()))
      await mkdir(join(createFoldersIn, toPath(entry)), { recursive: true, mode: 0o700 });
  return entries.filter((entry) => entry.isFile()).map(toPath);
}
