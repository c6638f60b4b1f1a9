import { constants, copyFile, mkdir, mkdtemp, readdir, rm, stat, statfs } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { z } from "zod";
import type { Snapshot } from "../database.ts";
import type { PgliteClient } from "./client.ts";

/** The clock of a file system may be this much coarser than a write takes. */
const clockStepMs = 1_000;

/** Node has four threads for files; one stays free for what readers ask for meanwhile. */
const maxConcurrentCopies = 3;

const copyPrefix = (folder: string) => `${basename(folder)}-copy-`;

/**
 * Copies the database as it is at one moment. PGlite has one session, so a long read of the
 * database itself would keep every other query waiting. The files are copied while queries go on;
 * then all queries wait for the short time that it takes to copy those again that have changed
 * meanwhile. What this gives is what a power failure at that moment would leave, and the database
 * recovers from it when it is opened.
 */
export async function copyDatabase(client: PgliteClient, folder: string): Promise<Snapshot> {
  await requireSpace(folder, await findNeededLogFiles(client));
  const copy = await mkdtemp(join(dirname(folder), copyPrefix(folder)));
  const remove = () => rm(copy, { recursive: true, force: true });
  try {
    const copied = await copyChanges(folder, copy, await findNeededLogFiles(client), new Map());
    await client.transaction(async (tx) => {
      // Commits that were not waited for are in the log's buffers; this writes them to its file.
      await tx.query("select pg_logical_emit_message(false, 'backup', '', true)");
      await copyChanges(folder, copy, await findNeededLogFiles(tx), copied);
    });
  } catch (error) {
    await remove();
    throw error;
  }
  return { source: { kind: "folder", folder: copy }, remove };
}

/** Removes what a process left behind that was ended during a backup. */
export async function removeCopies(folder: string): Promise<void> {
  const left = (await readdir(dirname(folder))).filter((name) =>
    name.startsWith(copyPrefix(folder)),
  );
  for (const name of left) await rm(join(dirname(folder), name), { recursive: true, force: true });
}

type IsNeeded = (path: string) => boolean;

/**
 * Of the write-ahead log, recovery needs the files from the last checkpoint on. Older ones and
 * those that are kept for later may be a gigabyte.
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

/** A copy that filled the disk would leave the database itself no room for the next write. */
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
  const { bavail, bsize } = await statfs(folder);
  if (bavail * bsize < 2 * needed)
    throw Object.assign(new Error("no space for a copy"), { code: "ENOSPC" });
}

type Seen = Map<string, { mtimeMs: number; size: number; mayChangeUnseen: boolean }>;

/** Copies what is not yet copied, or has changed since, and removes what is gone. */
async function copyChanges(
  from: string,
  to: string,
  isNeeded: IsNeeded,
  copied: Seen,
): Promise<Seen> {
  const seen: Seen = new Map();
  const paths = (await listFiles(from, to)).filter(isNeeded).values();
  const copyFiles = async () => {
    for (const path of paths) {
      try {
        const { mtimeMs, size } = await stat(join(from, path));
        const before = copied.get(path);
        const isSame =
          before && !before.mayChangeUnseen && before.mtimeMs === mtimeMs && before.size === size;
        seen.set(path, { mtimeMs, size, mayChangeUnseen: Date.now() - mtimeMs < clockStepMs });
        if (!isSame) await copyFile(join(from, path), join(to, path), constants.COPYFILE_FICLONE);
      } catch (error) {
        // The database removes files while the first copy is made.
        if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) throw error;
        seen.delete(path);
      }
    }
  };
  await Promise.all(Array.from({ length: maxConcurrentCopies }, copyFiles));
  for (const path of copied.keys()) if (!seen.has(path)) await rm(join(to, path), { force: true });
  return seen;
}

/** The paths of all files in a folder; its folders are also created elsewhere, if asked for. */
async function listFiles(folder: string, alsoIn?: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const pathOf = ({ parentPath, name }: { parentPath: string; name: string }) =>
    join(parentPath, name).slice(folder.length + 1);
  if (alsoIn !== undefined)
    for (const entry of entries.filter((each) => each.isDirectory()))
      await mkdir(join(alsoIn, pathOf(entry)), { recursive: true, mode: 0o700 });
  return entries.filter((entry) => entry.isFile()).map(pathOf);
}
