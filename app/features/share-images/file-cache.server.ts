import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import pLimit from "p-limit";
import { errorFields, type Log } from "../../lib/log.ts";

type CacheLimits = { maxFiles: number; maxBytes: number };

/** A PNG file for one page, such as the file news-x1y2z3-abc.png for the item news-x1y2z3. */
type CachedFile = { version: string; bytes: number };

const fileName = /^(.+)\.([\w-]+)\.png$/;
const maxConcurrentStats = 8;

/**
 * Images in a folder, one version per item. If there are too many, those are deleted that were not
 * used for the longest time. An operator may delete the folder at any time. If the disk is full,
 * nothing is stored.
 */
export function createFileCache(folder: string, limits: CacheLimits, log: Log) {
  /** The least recently used first. */
  const files = new Map<string, CachedFile>();
  let totalBytes = 0;
  let loading: Promise<void> | undefined;

  const pathOf = (item: string, version: string) => join(folder, `${item}.${version}.png`);

  function forget(item: string): void {
    totalBytes -= files.get(item)?.bytes ?? 0;
    files.delete(item);
  }

  function remember(item: string, file: CachedFile): void {
    forget(item);
    files.set(item, file);
    totalBytes += file.bytes;
  }

  async function remove(item: string): Promise<void> {
    const file = files.get(item);
    if (!file) return;
    forget(item);
    await rm(pathOf(item, file.version), { force: true }).catch(() => {});
  }

  async function removeOldest(): Promise<void> {
    while (files.size > limits.maxFiles || totalBytes > limits.maxBytes) {
      const [oldest] = files.keys();
      if (oldest === undefined) return;
      await remove(oldest);
    }
  }

  /** Reads the names of the files that an earlier process stored. */
  async function load(): Promise<void> {
    const names = await readdir(folder).catch(() => []);
    const limit = pLimit(maxConcurrentStats);
    const found = await Promise.all(
      names.map((name) =>
        limit(async () => {
          const [, item, version] = fileName.exec(name) ?? [];
          const stats = await stat(join(folder, name)).catch(() => null);
          if (stats?.isFile() && item !== undefined && version !== undefined)
            return [{ item, version, bytes: stats.size, usedAt: stats.mtimeMs }];
          // A process that ended while it wrote a file has left it unfinished.
          if (name.endsWith(".tmp")) await rm(join(folder, name), { force: true }).catch(() => {});
          return [];
        }),
      ),
    );
    for (const { item, version, bytes } of found
      .flat()
      .toSorted((one, other) => one.usedAt - other.usedAt)) {
      await remove(item);
      remember(item, { version, bytes });
    }
    await removeOldest();
  }

  const ready = () => {
    loading ??= load();
    return loading;
  };

  return {
    /** Reads an image. Null if this version is not stored, or if its file is damaged. */
    async read(item: string, version: string): Promise<Uint8Array | null> {
      await ready();
      const file = files.get(item);
      if (file?.version !== version) return null;
      const path = pathOf(item, version);
      const bytes = await readFile(path).catch(() => null);
      if (!bytes || !isWholePng(bytes)) {
        await remove(item);
        return null;
      }
      remember(item, { version, bytes: bytes.length });
      const now = new Date();
      await utimes(path, now, now).catch(() => {});
      return bytes;
    },

    /** Stores an image in place of other versions. If that fails, the log says why. */
    async write(item: string, version: string, bytes: Uint8Array): Promise<void> {
      await ready();
      const path = pathOf(item, version);
      try {
        await mkdir(folder, { recursive: true });
        // The file is renamed into place, so that nobody gets a half-written image.
        await writeFile(`${path}.tmp`, bytes);
        await rename(`${path}.tmp`, path);
      } catch (error) {
        await rm(`${path}.tmp`, { force: true }).catch(() => {});
        log.warn("share_image.not_stored", errorFields(error));
        return;
      }
      if (files.get(item)?.version !== version) await remove(item);
      remember(item, { version, bytes: bytes.length });
      await removeOldest();
    },

    /** Deletes the image of a page that was removed. */
    async remove(item: string): Promise<void> {
      await ready();
      await remove(item);
    },
  };
}

export type FileCache = ReturnType<typeof createFileCache>;

const pngStart = Buffer.from("89504e470d0a1a0a", "hex");
const pngEnd = Buffer.from("49454e44ae426082", "hex");

/** After a power failure, a file may be empty or end with zeros. */
const isWholePng = (bytes: Buffer) =>
  bytes.subarray(0, pngStart.length).equals(pngStart) &&
  bytes.subarray(-pngEnd.length).equals(pngEnd);
