import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { hasErrorCode } from "../../app/lib/error-code.ts";

/** Each poll checks only some images, so that thousands of photos do not keep the disk busy. */
const mediaPerPoll = 200;

/** Returns a text that changes when the file changes. */
export async function readFingerprint(folder: string, path: string): Promise<string> {
  const stats = await stat(join(folder, path)).catch(() => null);
  return stats ? `${stats.mtimeMs}-${stats.size}-${stats.ino}` : "missing";
}

/**
 * A folder that has just changed counts as changed for this long, because some file systems store
 * the time of a change only to two seconds.
 */
const settleMs = 3_000;

/** Notices when a file is added to a folder, removed from it, or renamed in it. */
export function createFolderWatch(root: string, folders: string[]) {
  let last = "";
  let settledAt = 0;
  return {
    async haveChanged(): Promise<boolean> {
      const fingerprints = await Promise.all(folders.map((each) => readFingerprint(root, each)));
      const current = fingerprints.join(" ");
      if (current !== last) settledAt = performance.now() + settleMs;
      last = current;
      return performance.now() < settledAt;
    },
  };
}

/**
 * Remembers which images and videos in `mediaFolders` each file names, and notices when one of them
 * changes.
 */
export function createMediaWatch(folder: string, mediaFolders: string[]) {
  const mediaByFile = new Map<string, string[]>();
  const filesByMedia = new Map<string, Set<string>>();
  const loadedFingerprints = new Map<string, string>();
  const lastFingerprints = new Map<string, string>();
  let nextIndex = 0;
  /** The files that existed when the folders were listed last. */
  let present = new Set<string>();

  function forget(path: string): void {
    for (const name of mediaByFile.get(path) ?? []) {
      const files = filesByMedia.get(name);
      files?.delete(path);
      if (files?.size === 0) filesByMedia.delete(name);
    }
    mediaByFile.delete(path);
  }

  /**
   * Lists the files that exist. Listing a folder is faster than looking for each file. A folder that
   * cannot be read, for example because too many files are open, counts as unchanged.
   */
  async function listPresent(): Promise<Set<string>> {
    const found = new Set<string>();
    for (const mediaFolder of mediaFolders) {
      const names = await readdir(join(folder, mediaFolder)).catch((error: unknown) =>
        hasErrorCode(error, "ENOENT") ? [] : null,
      );
      for (const name of names ?? []) found.add(`${mediaFolder}/${name}`);
      if (names === null)
        for (const path of present) if (path.startsWith(`${mediaFolder}/`)) found.add(path);
    }
    return found;
  }

  return {
    /** Returns the media files that any file names, including missing ones. */
    names: (): ReadonlySet<string> => new Set(filesByMedia.keys()),
    isNamed: (path: string): boolean => filesByMedia.has(path),
    async remember(path: string, named: string[]): Promise<void> {
      forget(path);
      mediaByFile.set(path, named);
      // Without a pause in between, because a photo that no file names is not served.
      for (const name of named)
        filesByMedia.set(name, (filesByMedia.get(name) ?? new Set()).add(path));
      for (const name of named)
        if (!loadedFingerprints.has(name))
          loadedFingerprints.set(name, await readFingerprint(folder, name));
    },
    remove: forget,
    /**
     * Returns the files that name a changed image or video. Each change is returned once, as soon
     * as two polls agree on it. A file that was added, removed or replaced by another one is noticed at
     * once, and one that was edited in place when its turn comes. `damaged` are photos that are refused from now on. The
     * folders are listed again only if `haveFoldersChanged` is true.
     */
    async collectChanged(damaged: string[], haveFoldersChanged: boolean): Promise<string[]> {
      if (haveFoldersChanged) present = await listPresent();
      const changed = new Set(damaged);
      if (nextIndex >= filesByMedia.size) nextIndex = 0;
      const all = [...filesByMedia.keys()];
      const inTurn = new Set(
        haveFoldersChanged ? all : all.slice(nextIndex, nextIndex + mediaPerPoll),
      );
      nextIndex += mediaPerPoll;
      const selected = all.filter((name) => {
        const loaded = loadedFingerprints.get(name);
        const last = lastFingerprints.get(name) ?? loaded;
        const isChanging = last !== loaded || present.has(name) === (loaded === "missing");
        return inTurn.has(name) || isChanging;
      });
      const fingerprints = await Promise.all(
        selected.map((name) => (present.has(name) ? readFingerprint(folder, name) : "missing")),
      );
      for (const [index, name] of selected.entries()) {
        const fingerprint = fingerprints[index] ?? "missing";
        const isStable = lastFingerprints.get(name) === fingerprint;
        if (isStable && loadedFingerprints.get(name) !== fingerprint) {
          loadedFingerprints.set(name, fingerprint);
          changed.add(name);
        }
        lastFingerprints.set(name, fingerprint);
      }
      return [...new Set([...changed].flatMap((name) => [...(filesByMedia.get(name) ?? [])]))];
    },
  };
}
