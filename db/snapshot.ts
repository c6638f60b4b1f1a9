import { constants, copyFile, mkdir, mkdtemp, readdir, rm, stat, statfs } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { openPgliteThread, type PgliteClient } from "./pglite-thread.ts";

/** The clock of a file system may be this much coarser than a write takes. */
const clockStepMs = 1_000;

/** Node has four threads for files; one stays free for what readers ask for meanwhile. */
const copiesAtOnce = 3;

const copiesOf = (folder: string) => `${basename(folder)}-copy-`;

/**
 * Opens a copy of the database as it is at one moment, in a thread of its own. PGlite has one session, so a long read of
 * the database itself would keep every other query waiting. The files are copied while queries go on; then all queries
 * wait for the short time that it takes to copy those again that have changed meanwhile. What this gives is what a
 * power failure at that moment would leave, and the database recovers from it when it is opened.
 */
export async function openCopy(
  client: PgliteClient,
  folder: string,
  onError: (error: Error) => void,
): Promise<PgliteClient> {
  await requireSpace(folder);
  const copy = await mkdtemp(join(dirname(folder), copiesOf(folder)));
  const remove = () => rm(copy, { recursive: true, force: true });
  try {
    // Writes out what the log holds, so that there is less of the log to copy and to replay.
    await client.exec("checkpoint");
    // Files that were written within this time would have to be copied again while all queries wait.
    await pause(clockStepMs);
    const copied = await copyChanges(folder, copy, new Map());
    await client.transaction(async (tx) => {
      // Commits that were not waited for are in the log's buffers; this writes them to its file.
      await tx.query("select pg_logical_emit_message(false, 'backup', '', true)");
      await copyChanges(folder, copy, copied);
    });
    const opened = await openPgliteThread({ folder: copy, onError, isCopy: true });
    return {
      ...opened,
      async close() {
        await opened.close();
        await remove();
      },
    };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** A copy that filled the disk would leave the database itself no room for the next write. */
async function requireSpace(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const sizes = await Promise.all(
    entries.map((entry) =>
      stat(join(entry.parentPath, entry.name)).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  );
  const needed = sizes.reduce((sum, size) => sum + size, 0);
  const { bavail, bsize } = await statfs(folder);
  if (bavail * bsize < 2 * needed) throw Object.assign(new Error("no space for a copy"), { code: "ENOSPC" });
}

/** Removes what a process left behind that was ended during a backup. */
export async function removeCopies(folder: string): Promise<void> {
  const left = (await readdir(dirname(folder))).filter((name) => name.startsWith(copiesOf(folder)));
  for (const name of left) await rm(join(dirname(folder), name), { recursive: true, force: true });
}

type Seen = Map<string, { mtimeMs: number; size: number; mayChangeUnseen: boolean }>;

/** Copies what is not yet copied, or has changed since, and removes what is gone. */
async function copyChanges(from: string, to: string, copied: Seen): Promise<Seen> {
  const entries = await readdir(from, { recursive: true, withFileTypes: true });
  const pathOf = (entry: (typeof entries)[number]) =>
    join(entry.parentPath, entry.name).slice(from.length + 1);
  for (const entry of entries)
    if (entry.isDirectory()) await mkdir(join(to, pathOf(entry)), { recursive: true, mode: 0o700 });
  const seen: Seen = new Map();
  const files = entries.filter((entry) => entry.isFile()).values();
  const copyFiles = async () => {
    for (const entry of files) {
      const path = pathOf(entry);
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
  await Promise.all(Array.from({ length: copiesAtOnce }, copyFiles));
  for (const path of copied.keys()) if (!seen.has(path)) await rm(join(to, path), { force: true });
  return seen;
}
