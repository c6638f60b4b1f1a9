import { mkdir, readdir, rename, rm, rmdir, stat, utimes, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { errorFields, type Log } from "../../app/lib/log.ts";

/** A file in the cache: `photo` within the city folder, such as news/pier.jpg, and its variant. */
export type VariantKey = { photo: string; version: string; variant: string };

export type VariantCache = {
  /** Returns the path of the file on disk, or null if it is not in the cache. */
  find(key: VariantKey): Promise<string | null>;
  /** Lists the variants of a version of a photo, such as 960.avif. */
  list(key: Omit<VariantKey, "variant">): Promise<string[]>;
  /** Writes a file, and deletes older versions of the photo. Throws if the disk is full. */
  store(key: VariantKey, bytes: Uint8Array): Promise<string>;
  /** Deletes all files of a photo that was removed from the city folder. */
  remove(photo: string): Promise<void>;
  /** Deletes photos that no longer exist, and then the least recently used files. */
  tidy(): Promise<void>;
};

const dayMs = 24 * 60 * 60 * 1000;
/** After this part of the limit was written, the total size is checked again. */
const partBetweenChecks = 0.05;

/**
 * A cache on disk with a limited size. Each photo has a folder, with one folder per version. The
 * file system is the only record, so an operator may delete anything in it at any time.
 */
export function openVariantCache(
  folder: string,
  maxBytes: number,
  isRemoved: (photo: string) => Promise<boolean>,
  log: Log,
): VariantCache {
  let bytesSinceCheck = 0;
  let isTidying = false;

  const toPath = ({ photo, version, variant }: VariantKey) => join(folder, photo, version, variant);

  async function tidy(): Promise<void> {
    if (isTidying) return;
    isTidying = true;
    bytesSinceCheck = 0;
    try {
      const photos = (await listFolders(folder, 2)).map((path) => path.slice(folder.length + 1));
      for (const photo of photos) if (await isRemoved(photo)) await remove(photo);
      await evict();
    } catch (error) {
      log.warn("photos.cache_not_tidied", errorFields(error));
    } finally {
      isTidying = false;
    }
  }

  /** Deletes the least recently used files until the cache is within its limit. */
  async function evict(): Promise<void> {
    const files: { path: string; size: number; usedAt: number }[] = [];
    for (const version of await listFolders(folder, 3))
      for (const name of await readdir(version).catch(() => [])) {
        const path = join(version, name);
        const stats = await stat(path).catch(() => null);
        if (stats) files.push({ path, size: stats.size, usedAt: stats.atimeMs });
      }
    let total = files.reduce((sum, { size }) => sum + size, 0);
    if (total <= maxBytes) return;
    const target = maxBytes * (1 - partBetweenChecks);
    for (const { path, size } of files.toSorted((one, other) => one.usedAt - other.usedAt)) {
      if (total <= target) break;
      await rm(path, { force: true });
      total -= size;
    }
  }

  async function remove(photo: string): Promise<void> {
    await rm(join(folder, photo), { recursive: true, force: true });
  }

  return {
    async find(key) {
      const path = toPath(key);
      const stats = await stat(path).catch(() => null);
      if (!stats) return null;
      // Many file systems do not update the time of the last access themselves.
      if (Date.now() - stats.atimeMs > dayMs)
        await utimes(path, new Date(), stats.mtime).catch(() => {});
      return path;
    },
    async list({ photo, version }) {
      const names = await readdir(join(folder, photo, version)).catch(() => []);
      return names.filter((name) => !name.endsWith(".tmp"));
    },
    async store(key, bytes) {
      const path = toPath(key);
      // The file is renamed into place, so that readers never get a half-written image.
      const unfinished = `${path}.tmp`;
      await mkdir(dirname(path), { recursive: true });
      try {
        await writeFile(unfinished, bytes);
        await rename(unfinished, path);
      } catch (error) {
        await rm(unfinished, { force: true }).catch(() => {});
        // Without this, photos that cannot be stored would leave empty folders.
        await rmdir(dirname(path)).catch(() => {});
        throw error;
      }
      for (const version of await readdir(dirname(dirname(path))))
        if (version !== key.version)
          await rm(join(dirname(dirname(path)), version), { recursive: true, force: true });
      bytesSinceCheck += bytes.length;
      if (bytesSinceCheck > maxBytes * partBetweenChecks) tidy();
      return path;
    },
    remove,
    tidy,
  };
}

/** Returns the folders at a depth below a folder. */
async function listFolders(folder: string, depth: number): Promise<string[]> {
  if (depth === 0) return [folder];
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const folders: string[] = [];
  for (const entry of entries)
    if (entry.isDirectory())
      folders.push(...(await listFolders(join(folder, entry.name), depth - 1)));
  return folders;
}
