import { browserSavesData } from "../../../lib/device/saves-data.ts";
import { hasPage } from "../../../lib/links/parts.ts";
import { cacheNames, type WorkerMessage, type WorkerReply } from "../page-copy.ts";
import { openFiles } from "./files.ts";
import { openPages } from "./pages.ts";
import { alwaysStoredPaths, mayStorePath } from "./policy.ts";
import type { WorkerScope } from "./scope.ts";
import { openSpace } from "./space.ts";

/** A newer copy than this is not downloaded again. */
const freshMs = { visited: 60_000, alwaysStored: 30 * 60_000 };

const dataSaverKey = "/data-saver";

export type Store = ReturnType<typeof openStore>;

/**
 * Everything that the service worker stores on the device. Functions that write run one after the
 * other, and return null if storage is blocked or full, which is not an error for readers.
 */
export function openStore(scope: WorkerScope) {
  const { caches, offlineSettings: settings } = scope;
  const closing = new AbortController();
  const space = openSpace(scope);
  const files = openFiles(scope, space, closing.signal);
  const pages = openPages(scope, space, files);
  let queue: Promise<unknown> = Promise.resolve();

  function enqueue<T>(work: () => Promise<T>): Promise<T | null> {
    const earlierWork = queue;
    const result = (async () => {
      await earlierWork;
      return closing.signal.aborted ? null : work().catch(() => null);
    })();
    queue = result;
    return result;
  }

  /**
   * Remembers whether the reader has turned on the data saver. Only pages know this setting, and a
   * page is loaded before it can tell the worker.
   */
  async function rememberDataSaver(isOn: boolean): Promise<void> {
    const cache = await caches.open(cacheNames.settings);
    await (isOn ? cache.put(dataSaverKey, new Response()) : cache.delete(dataSaverKey));
  }
  const isDataSaverOn = async (): Promise<boolean> =>
    browserSavesData() ||
    (await caches.match(dataSaverKey, { cacheName: cacheNames.settings })) !== undefined;

  /** Stores the page that the reader sees, and refreshes those that are always stored. */
  async function refreshVisited(path: string, savesData: boolean): Promise<void> {
    const visitedAt = Date.now();
    const found = await pages.find(path, savesData);
    if (found && (savesData || visitedAt - found.copy.storedAt < freshMs.visited)) {
      await pages.update(found.key, { visitedAt });
      if (!savesData) await pages.storeImages(found.key);
    } else if (!savesData && mayStorePath(path.split("?", 1)[0] ?? ""))
      await pages.download(path, { visitedAt, withImages: true });
    for (const each of savesData ? [] : alwaysStoredPaths) {
      if (!hasPage(settings.absent ?? [], each)) continue;
      const copy = (await pages.find(each, false))?.copy;
      if (!copy || Date.now() - copy.storedAt > freshMs.alwaysStored)
        await pages.download(each, { withImages: true });
    }
  }

  return {
    findPage: pages.find,
    findFile: files.find,

    install(): Promise<void> {
      const work = files.storeBuild();
      queue = work.catch(() => {});
      return work;
    },

    /**
     * Stores the files of the build if they are missing. If the reader deletes everything while a
     * tab is open, the browser may use this worker again later, without installing it.
     */
    ensureInstalled: () =>
      enqueue(async () => {
        if (!(await files.isBuildStored())) await files.storeBuild();
        return true;
      }),

    deleteOldBuilds: () => enqueue(files.deleteOldBuilds),

    /** Stores a page that the browser has just loaded. The data saver stores only saved pages. */
    async addVisited(path: string, response: Response) {
      // Nothing else waits for a page that arrives slowly.
      const html = await response.text();
      return enqueue(async () => {
        if ((await isDataSaverOn()) && !(await pages.isSaved(path))) return;
        // The images of the page that the reader is opening come first.
        await pages.store(path, response, html, { visitedAt: Date.now(), withImages: false });
      });
    },

    /** Stores the page that the reader has opened, and makes the saved pages match the list. */
    refresh: ({ visited, saved, savesData }: WorkerMessage) =>
      enqueue(async (): Promise<WorkerReply> => {
        await rememberDataSaver(savesData);
        if (visited !== null) await refreshVisited(visited, savesData);
        const reply = await pages.syncSaved(saved, savesData);
        await space.deleteUnused();
        return reply;
      }),

    /** Deletes the copies of a page that the newsroom has removed. */
    removePage: (url: URL) => enqueue(() => pages.remove(url)),

    /**
     * Stores nothing from now on, and deletes everything. What is running ends soon, because its
     * downloads are stopped.
     */
    async close(): Promise<void> {
      closing.abort();
      await queue;
      for (const name of await caches.keys()) await caches.delete(name);
    },
  };
}
