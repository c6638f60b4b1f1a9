import { readdir, stat } from "node:fs/promises";
import { dirname, join } from "node:path";

/** Each poll checks only some images, so that thousands of photos do not keep the disk busy. */
const mediaPerPoll = 200;

/** Returns a text that changes when the file changes. */
export async function readFingerprint(folder: string, path: string): Promise<string> {
  const stats = await stat(join(folder, path)).catch(() => null);
  return stats ? `${stats.mtimeMs}-${stats.size}-${stats.ino}` : "missing";
}

/** Remembers which images and videos each file names, and notices when one of them changes. */
export function createMediaWatch(folder: string) {
  const mediaByFile = new Map<string, string[]>();
  const filesByMedia = new Map<string, Set<string>>();
  const loadedFingerprints = new Map<string, string>();
  const lastFingerprints = new Map<string, string>();
  let nextIndex = 0;

  function forget(path: string): void {
    for (const name of mediaByFile.get(path) ?? []) {
      const files = filesByMedia.get(name);
      files?.delete(path);
      if (files?.size === 0) filesByMedia.delete(name);
    }
    mediaByFile.delete(path);
  }

  /** Returns the named files that exist. Listing a folder is faster than looking for each file. */
  async function listPresent(): Promise<Set<string>> {
    const present = new Set<string>();
    for (const mediaFolder of new Set([...filesByMedia.keys()].map(dirname)))
      for (const name of await readdir(join(folder, mediaFolder)).catch(() => []))
        present.add(`${mediaFolder}/${name}`);
    return present;
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
     * as two polls agree on it. A file that was added or removed is noticed at once, and one that
     * was replaced when its turn comes. `damaged` are photos that are refused from now on.
     */
    async collectChanged(damaged: string[]): Promise<string[]> {
      const present = await listPresent();
      const changed = new Set(damaged);
      if (nextIndex >= filesByMedia.size) nextIndex = 0;
      const inTurn = new Set([...filesByMedia.keys()].slice(nextIndex, nextIndex + mediaPerPoll));
      nextIndex += mediaPerPoll;
      for (const name of filesByMedia.keys()) {
        const loaded = loadedFingerprints.get(name);
        const last = lastFingerprints.get(name) ?? loaded;
        const isChanging = last !== loaded || present.has(name) === (loaded === "missing");
        if (!inTurn.has(name) && !isChanging) continue;
        const fingerprint = present.has(name) ? await readFingerprint(folder, name) : "missing";
        if (lastFingerprints.get(name) === fingerprint && loaded !== fingerprint) {
          loadedFingerprints.set(name, fingerprint);
          changed.add(name);
        }
        lastFingerprints.set(name, fingerprint);
      }
      return [...new Set([...changed].flatMap((name) => [...(filesByMedia.get(name) ?? [])]))];
    },
  };
}
