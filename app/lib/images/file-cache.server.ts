import { mkdir, readdir, rename, rm, rmdir, stat, utimes, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { errorFields, type Log } from "../log.ts";

/** A file in the cache: the item that it was made from, such as news/pier.jpg, and its name. */
export type FileKey = { item: string; version: string; name: string };

type Options = {
  maxBytes: number;
  log: Log;
  isRemoved?: (item: string) => Promise<boolean>;
};

const dayMs = 24 * 60 * 60 * 1000;
/** After this part of the limit was written, the total size is checked again. */
const partBetweenChecks = 0.05;

/**
 * A cache on disk with a limited size. Each item has a folder, with one folder per version. The
 * file system is the only record, so an operator may delete anything in it at any time.
 */
export function openFileCache(
  folder: string,
  { maxBytes, log, isRemoved = async () => false }: Options,
) {
  // An earlier process may have left a full cache, so the first file that is written counts too.
  let bytesSinceCheck = maxBytes;
  let tidying: Promise<void> | undefined;

  const toPath = ({ item, version, name }: FileKey) => join(folder, item, version, name);

  /** Deletes the files of items that no longer exist, and then the least recently used files. */
  function tidy(): Promise<void> {
    tidying ??= deleteUnused()
      .catch((error: unknown) => log.warn("cache.not_tidied", { folder, ...errorFields(error) }))
      .finally(() => {
        tidying = undefined;
      });
    return tidying;
  }

  async function deleteUnused(): Promise<void> {
    bytesSinceCheck = 0;
    const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
    const paths = entries.flatMap((entry) =>
      entry.isFile() ? [join(entry.parentPath, entry.name)] : [],
    );
    const items = new Set(paths.map((path) => relative(folder, dirname(dirname(path)))));
    // A file that does not belong to an item has the name "" or "..".
    for (const item of items)
      if (!["", ".."].includes(item) && (await isRemoved(item))) await remove(item);
    await deleteLeastRecentlyUsed(paths);
  }

  async function deleteLeastRecentlyUsed(paths: string[]): Promise<void> {
    const files: { path: string; size: number; usedAt: number }[] = [];
    for (const path of paths) {
      const stats = await stat(path).catch(() => null);
      if (stats) files.push({ path, size: stats.size, usedAt: stats.atimeMs });
    }
    let total = files.reduce((sum, { size }) => sum + size, 0);
    if (total <= maxBytes) return;
    const target = maxBytes * (1 - partBetweenChecks);
    for (const { path, size } of files.toSorted((one, other) => one.usedAt - other.usedAt)) {
      if (total <= target) break;
      await rm(path, { force: true });
      await removeEmptyFolders(path);
      total -= size;
    }
  }

  /** Removes the folders of the version and of the item, if no file is left in them. */
  async function removeEmptyFolders(path: string): Promise<void> {
    await rmdir(dirname(path)).catch(() => {});
    await rmdir(dirname(dirname(path))).catch(() => {});
  }

  async function remove(item: string): Promise<void> {
    await rm(join(folder, item), { recursive: true, force: true });
  }

  return {
    async find(key: FileKey): Promise<string | null> {
      const path = toPath(key);
      const stats = await stat(path).catch(() => null);
      if (!stats) return null;
      // Many file systems do not update the time of the last access themselves.
      if (Date.now() - stats.atimeMs > dayMs)
        await utimes(path, new Date(), stats.mtime).catch(() => {});
      return path;
    },
    /** Writes a file, and deletes older versions of the item. Throws if the disk is full. */
    async store(key: FileKey, bytes: Uint8Array): Promise<string> {
      const path = toPath(key);
      // The file is renamed into place, so that readers never get a half-written image.
      const unfinished = `${path}.tmp`;
      await mkdir(dirname(path), { recursive: true });
      try {
        await writeFile(unfinished, bytes);
        await rename(unfinished, path);
      } catch (error) {
        await rm(unfinished, { force: true }).catch(() => {});
        // Without this, images that cannot be stored would leave empty folders.
        await removeEmptyFolders(path);
        throw error;
      }
      const itemFolder = join(folder, key.item);
      for (const version of await readdir(itemFolder))
        if (version !== key.version)
          await rm(join(itemFolder, version), { recursive: true, force: true });
      bytesSinceCheck += bytes.length;
      if (bytesSinceCheck > maxBytes * partBetweenChecks) tidy();
      return path;
    },
    remove,
    tidy,
  };
}
