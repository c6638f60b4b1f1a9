import {
  cacheNames,
  listPageCopies,
  type PageCopy,
  readPageCopy,
  type WorkerReply,
  writePageCopy,
} from "../page-copy.ts";
import type { Files } from "./files.ts";
import { findTitle, hasScripts } from "./markup.ts";
import {
  findCopyKeys,
  hasFormToken,
  isAlwaysStored,
  mayStorePath,
  mayStoreResponse,
  toCopyKey,
} from "./policy.ts";
import type { WorkerScope } from "./scope.ts";
import { type Inventory, maxSavedBytes, type Space } from "./space.ts";

const maxImages = { saved: 20, alwaysStored: 14 };
/** More saved pages than this are not downloaded when the reader opens a page. */
const maxSavedPerPageView = 10;

type CopyResult = "stored" | "unavailable" | "no space";
type Reason = { visitedAt?: number; savedAt?: number; withImages: boolean };

/** Stores the pages that readers visit and save. */
export function openPages(scope: WorkerScope, space: Space, files: Files) {
  const { caches, location, navigator, offlineSettings: settings } = scope;
  const openCache = () => caches.open(cacheNames.pages);
  const toUrl = (path: string) => new URL(path, location.origin);
  /**
   * Saved pages that could not be downloaded, or did not fit. They are tried again when the worker
   * restarts, or when another page is no longer saved.
   */
  const notStored = new Set<string>();

  /** Stores a page, unless its path, its headers or its content forbid that. */
  async function store(
    path: string,
    response: Response,
    html: string,
    reason: Reason,
  ): Promise<CopyResult> {
    const url = toUrl(path);
    if (!mayStorePath(url.pathname) || !mayStoreResponse(response)) return "unavailable";
    if (hasFormToken(html)) return "unavailable";
    const key = toCopyKey(url, !hasScripts(html));
    if (key === null) return "unavailable";
    const inventory = await space.read();
    const previous = inventory.pages.get(key);
    const copy: PageCopy = {
      title: findTitle(html, settings.siteName),
      sentAt: Date.parse(response.headers.get("Date") ?? "") || Date.now(),
      storedAt: Date.now(),
      visitedAt: reason.visitedAt ?? previous?.visitedAt ?? null,
      savedAt: reason.savedAt ?? previous?.savedAt ?? null,
      images: previous?.images ?? [],
      bytes: new TextEncoder().encode(html).length,
    };
    // Here the page counts as saved, so that it is not deleted itself. Its images are needed still.
    inventory.pages.set(key, { ...copy, savedAt: copy.savedAt ?? Date.now() });
    if (copy.savedAt !== null && countSavedBytes(inventory) > maxSavedBytes) return "no space";
    if (!(await space.makeRoom(inventory))) return "no space";
    await (await openCache()).put(key, writePageCopy(html, response.headers, copy));
    if (reason.withImages) await storeImages(key);
    return "stored";
  }

  /** Stores the images of a stored page, if it was saved or is always stored. */
  async function storeImages(key: string): Promise<void> {
    const cache = await openCache();
    const response = await cache.match(key);
    const inventory = await space.read();
    const copy = inventory.pages.get(key);
    if (!response || !copy || (copy.savedAt === null && !isAlwaysStored(key))) return;
    const previousImages = String(copy.images);
    const html = await response.text();
    const max = copy.savedAt === null ? maxImages.alwaysStored : maxImages.saved;
    await files.storeImages(inventory, copy, html, max);
    if (String(copy.images) !== previousImages)
      await cache.put(key, writePageCopy(html, response.headers, copy));
  }

  async function download(path: string, reason: Reason): Promise<CopyResult> {
    try {
      const response = await files.download(path);
      return await store(path, response, await response.text(), reason);
    } catch (error) {
      const isFull = error instanceof DOMException && error.name === "QuotaExceededError";
      return isFull ? "no space" : "unavailable";
    }
  }

  /** Changes the facts about a stored page, or deletes it if there is no reason to store it. */
  async function update(key: string, change: Partial<PageCopy>): Promise<void> {
    const cache = await openCache();
    const response = await cache.match(key);
    const previous = response && readPageCopy(response);
    if (!previous) return;
    const copy = { ...previous, ...change };
    if (copy.savedAt === null && copy.visitedAt === null && !isAlwaysStored(key))
      await cache.delete(key);
    else await cache.put(key, writePageCopy(await response.arrayBuffer(), response.headers, copy));
  }

  /** Finds the copy of a page in either edition. */
  async function find(url: URL, savesData: boolean) {
    for (const key of findCopyKeys(url, savesData)) {
      const response = await caches.match(key, { cacheName: cacheNames.pages });
      const copy = response && readPageCopy(response);
      if (copy) return { key, response, copy };
    }
    return null;
  }

  /** Whether the page is saved in any edition. */
  const isSaved = (path: string, copies: Map<string, PageCopy>): boolean =>
    findCopyKeys(toUrl(path), false).some((key) => (copies.get(key)?.savedAt ?? null) !== null);

  return {
    find: (url: URL | string, savesData: boolean) => find(new URL(url, location.origin), savesData),
    store,
    storeImages,
    download,
    update,

    async remove(url: URL): Promise<void> {
      const cache = await openCache();
      for (const key of findCopyKeys(url, false)) await cache.delete(key);
    },

    isSaved: async (path: string): Promise<boolean> => isSaved(path, await listPageCopies()),

    /** Makes the stored pages match the list of saved items, which another tab may have changed. */
    async syncSaved(saved: string[], savesData: boolean): Promise<WorkerReply> {
      const keys = new Set(saved.flatMap((path) => findCopyKeys(toUrl(path), false)));
      const copies = await listPageCopies();
      const isRemoved = (key: string) => !keys.has(key) && copies.get(key)?.savedAt !== null;
      const removed = [...copies.keys()].filter(isRemoved);
      for (const key of removed) await update(key, { savedAt: null });
      if (removed.length > 0) notStored.clear();
      for (const path of notStored) if (!saved.includes(path)) notStored.delete(path);
      let downloads = 0;
      for (const path of saved) {
        if (isSaved(path, copies) || notStored.has(path)) continue;
        downloads += 1;
        const result = await download(path, { savedAt: Date.now(), withImages: !savesData });
        if (result !== "stored" && navigator.onLine) notStored.add(path);
        // If one page does not fit, the older ones are not tried now.
        if (result === "no space") return result;
        if (downloads === maxSavedPerPageView) break;
      }
      return "done";
    },
  };
}

const countSavedBytes = ({ pages }: Inventory): number =>
  [...pages.values()].reduce(
    (sum, { savedAt, bytes }) => (savedAt === null ? sum : sum + bytes),
    0,
  );
