import { stat } from "node:fs/promises";
import { join } from "node:path";

/** Returns a text that changes when the file changes. */
async function readFingerprint(folder: string, path: string): Promise<string> {
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
 * Notices changes of files. A change counts when two polls agree on it, because an editor may still
 * be writing the file.
 */
export function createFileWatch(root: string) {
  const loaded = new Map<string, string>();
  const last = new Map<string, string>();
  let nextIndex = 0;
  const findLast = (path: string) => last.get(path) ?? loaded.get(path);
  return {
    /** Watches a file from now on, as it is. */
    async add(path: string): Promise<void> {
      if (!loaded.has(path)) loaded.set(path, await readFingerprint(root, path));
    },
    paths: (): string[] => [...loaded.keys()],
    /** Makes a file count as changed. */
    outdate(path: string): void {
      loaded.set(path, "");
    },
    remove(path: string): void {
      loaded.delete(path);
      last.delete(path);
    },
    /**
     * Checks `count` of the files, a poll later the next ones, and in any case those that are
     * changing. Returns each change once.
     */
    async poll(
      paths: string[],
      count: number,
    ): Promise<{ changed: string[]; isChanging: boolean }> {
      if (nextIndex >= paths.length) nextIndex = 0;
      const inTurn = new Set(paths.slice(nextIndex, nextIndex + count));
      nextIndex += count;
      const selected = paths.filter(
        (path) => inTurn.has(path) || findLast(path) !== loaded.get(path),
      );
      const fingerprints = await Promise.all(selected.map((path) => readFingerprint(root, path)));
      const changed: string[] = [];
      let isChanging = false;
      for (const [index, path] of selected.entries()) {
        const fingerprint = fingerprints[index] ?? "";
        if (findLast(path) !== fingerprint) isChanging = true;
        else if (loaded.get(path) !== fingerprint) {
          loaded.set(path, fingerprint);
          changed.push(path);
        }
        last.set(path, fingerprint);
      }
      return { changed, isChanging };
    },
  };
}

/** Each poll checks only some images, so that thousands of photos do not keep the disk busy. */
const mediaPerPoll = 200;

/** Remembers which images and videos each file names, and notices when one of them changes. */
export function createMediaWatch(folder: string) {
  const mediaByFile = new Map<string, string[]>();
  const filesByMedia = new Map<string, Set<string>>();
  const watch = createFileWatch(folder);

  function forget(path: string): void {
    for (const name of mediaByFile.get(path) ?? []) {
      const files = filesByMedia.get(name);
      files?.delete(path);
      if (files?.size === 0) filesByMedia.delete(name);
    }
    mediaByFile.delete(path);
  }

  return {
    /** Returns the media files that any file names, including missing ones. */
    names: (): ReadonlySet<string> => new Set(filesByMedia.keys()),
    isNamed: (path: string): boolean => filesByMedia.has(path),
    async remember(path: string, named: string[]): Promise<void> {
      forget(path);
      mediaByFile.set(path, named);
      // No `await` between these two steps, because a photo that no file names is not served.
      for (const name of named)
        filesByMedia.set(name, (filesByMedia.get(name) ?? new Set()).add(path));
      for (const name of named) await watch.add(name);
    },
    remove: forget,
    /**
     * Returns the files that name a changed image or video, or one of the `damaged` photos, which
     * are refused from now on. After a change of a folder all images are checked, because a file
     * may have been added, removed or replaced.
     */
    async collectChanged(damaged: string[], haveFoldersChanged: boolean) {
      const all = [...filesByMedia.keys()];
      const count = haveFoldersChanged ? all.length : mediaPerPoll;
      const { changed, isChanging } = await watch.poll(all, count);
      const files = [...damaged, ...changed].flatMap((name) => [...(filesByMedia.get(name) ?? [])]);
      return { files: new Set(files), isChanging };
    },
  };
}
