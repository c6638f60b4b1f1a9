import { toImageKey } from "../../../lib/site/art.ts";
import {
  cacheNames,
  listPageCopies,
  type PageCopy,
  readPageCopy,
  toPath,
  writePageCopy,
} from "../page-copy.ts";
import { openBuilds } from "./builds.ts";
import { findBuild, findImages, findTitle } from "./markup.ts";
import {
  entryOverheadBytes,
  type Inventory,
  maxSavedBytes,
  planDeletions,
} from "./plan-deletions.ts";
import {
  alwaysStoredPaths,
  findCopyKeys,
  hasFormToken,
  mayStorePath,
  mayStoreResponse,
  offlinePath,
  toCopyKey,
} from "./policy.ts";
import type { WorkerScope } from "./scope.ts";

/** A newer copy than this is not downloaded again. */
const freshMs = { visited: 60_000, alwaysStored: 30 * 60_000 };
const downloadTimeoutMs = 30_000;
const maxImages = { saved: 20, alwaysStored: 6 };
const maxImageBytes = 1_000_000;
/** More saved pages than this are not downloaded during one visit. */
const maxSavedPerVisit = 10;

type Reason = { visitedAt?: number; savedAt?: number; withImages: boolean };

export type Store = ReturnType<typeof openStore>;

/** Stores pages and their files on the device. The functions run one after the other. */
export function openStore(scope: WorkerScope) {
  const { caches, fetch, location, offlineSettings: settings } = scope;
  const builds = openBuilds(scope);
  let isClosed = false;
  let queue: Promise<unknown> = Promise.resolve();

  /** Waits for all earlier work. Storage that is blocked or full is not an error for readers. */
  function enqueue<T>(work: () => Promise<T>): Promise<T | false> {
    const earlierWork = queue;
    const result = (async () => {
      await earlierWork;
      if (isClosed) return false;
      return work().catch(() => false as const);
    })();
    queue = result;
    return result;
  }

  const toUrl = (path: string) => new URL(path, location.origin);
  const openPages = () => caches.open(cacheNames.pages);
  const openFiles = () => caches.open(cacheNames.files);

  async function readInventory(): Promise<Inventory> {
    const cache = await openFiles();
    const { assets, ...known } = await builds.read();
    const files = new Map<string, number>();
    for (const request of await cache.keys()) {
      const path = toPath(request.url);
      const bytes = assets.get(path) ?? (await cache.match(request))?.headers.get("x-bytes");
      files.set(path, Number(bytes));
    }
    return { pages: await listPageCopies(), files, ...known };
  }

  /** Deletes what exceeds the budget. Returns whether there is space for `newBytes` more. */
  async function makeRoom(inventory: Inventory, newBytes = 0): Promise<boolean> {
    const plan = planDeletions(inventory, newBytes);
    const [pages, files] = [await openPages(), await openFiles()];
    for (const key of plan.pages) {
      await pages.delete(key);
      inventory.pages.delete(key);
    }
    for (const path of plan.files) {
      await files.delete(path);
      inventory.files.delete(path);
    }
    return plan.fits;
  }

  const download = (path: string) =>
    fetch(path, {
      credentials: "omit",
      redirect: "error",
      priority: "low",
      signal: AbortSignal.timeout(downloadTimeoutMs),
    });

  async function putFile(path: string, response: Response): Promise<number> {
    const body = await response.arrayBuffer();
    const headers = {
      "Content-Type": response.headers.get("Content-Type") ?? "",
      "x-bytes": String(body.byteLength),
    };
    await (await openFiles()).put(path, new Response(body, { headers }));
    return body.byteLength;
  }

  /** Stores the images of a page, and returns the paths of those that are stored. */
  async function storeImages(inventory: Inventory, html: string, max: number): Promise<string[]> {
    const stored: string[] = [];
    for (const path of findImages(html, max)) {
      if (!inventory.files.has(path)) {
        const response = await download(path).catch(() => null);
        const isImage = response?.headers.get("Content-Type")?.startsWith("image/");
        const bytes = Number(response?.headers.get("Content-Length") ?? 0);
        if (response?.status !== 200 || !isImage || bytes > maxImageBytes) continue;
        if (!(await makeRoom(inventory, maxImageBytes))) break;
        inventory.files.set(path, await putFile(path, response));
      }
      stored.push(path);
    }
    return stored;
  }

  /** Stores a page, unless its path, its headers or its content forbid that. */
  async function storePage(path: string, response: Response, reason: Reason): Promise<boolean> {
    const url = toUrl(path);
    if (!mayStorePath(url.pathname) || !mayStoreResponse(response)) return false;
    const html = await response.text();
    if (hasFormToken(html)) return false;
    const build = findBuild(html);
    const key = toCopyKey(url, build === null);
    if (key === null) return false;
    const inventory = await readInventory();
    const previous = inventory.pages.get(key);
    const copy: PageCopy = {
      title: findTitle(html, settings.siteName),
      sentAt: Date.parse(response.headers.get("Date") ?? "") || Date.now(),
      storedAt: Date.now(),
      visitedAt: reason.visitedAt ?? previous?.visitedAt ?? null,
      savedAt: reason.savedAt ?? previous?.savedAt ?? null,
      build,
      images: previous?.images ?? [],
      bytes: new TextEncoder().encode(html).length,
    };
    inventory.pages.delete(key);
    const savedBytes = [...inventory.pages.values()].reduce(
      (sum, { savedAt, bytes }) => (savedAt === null ? sum : sum + bytes),
      copy.bytes,
    );
    if (copy.savedAt !== null && savedBytes > maxSavedBytes) return false;
    if (!(await makeRoom(inventory, copy.bytes + entryOverheadBytes))) return false;
    const pages = await openPages();
    await pages.put(key, writePageCopy(html, response.headers, copy));
    inventory.pages.set(key, copy);
    const max = copy.savedAt === null ? maxImages.alwaysStored : maxImages.saved;
    if (!reason.withImages || (copy.savedAt === null && !alwaysStoredPaths.includes(key)))
      return true;
    copy.images = await storeImages(inventory, html, max);
    await pages.put(key, writePageCopy(html, response.headers, copy));
    return true;
  }

  const downloadPage = async (path: string, reason: Reason) =>
    storePage(path, await download(path), reason);

  /** Changes the facts about a stored page, or deletes it if there is no reason to store it. */
  async function updatePage(key: string, change: Partial<PageCopy>): Promise<void> {
    const pages = await openPages();
    const response = await pages.match(key);
    const previous = response && readPageCopy(response);
    if (!previous) return;
    const copy = { ...previous, ...change };
    if (copy.savedAt === null && copy.visitedAt === null && !alwaysStoredPaths.includes(key))
      await pages.delete(key);
    else await pages.put(key, writePageCopy(await response.arrayBuffer(), response.headers, copy));
  }

  /** Finds the copy of a page in either edition. */
  async function findPage(url: URL, savesData: boolean) {
    const pages = await openPages();
    for (const key of findCopyKeys(url, savesData)) {
      const response = await pages.match(key);
      const copy = response && readPageCopy(response);
      if (copy) return { key, response, copy };
    }
    return null;
  }

  /** Deletes what no page needs anymore, and what exceeds the budget. */
  async function deleteUnused(): Promise<boolean> {
    const inventory = await readInventory();
    await makeRoom(inventory);
    const pageBuilds = [...inventory.pages.values()].flatMap(({ build }) => build ?? []);
    await builds.deleteExcept(new Set([...inventory.buildsInUse, ...pageBuilds]));
    return true;
  }

  /** Makes the stored pages match the list of saved items, which may have changed in many ways. */
  async function syncSaved(saved: string[], savesData: boolean): Promise<void> {
    const keys = new Set(saved.flatMap((path) => findCopyKeys(toUrl(path), false)));
    for (const [key, { savedAt }] of await listPageCopies())
      if (savedAt !== null && !keys.has(key)) await updatePage(key, { savedAt: null });
    let downloads = 0;
    for (const path of saved) {
      const found = await findPage(toUrl(path), savesData);
      if (found && found.copy.savedAt !== null) continue;
      const isStored = await downloadPage(path, { savedAt: Date.now(), withImages: !savesData });
      downloads += 1;
      if (!isStored || downloads === maxSavedPerVisit) break;
    }
  }

  return {
    findPage,

    /** Finds a script, stylesheet, font or image, or another variant of the same image. */
    async findFile(path: string): Promise<Response | undefined> {
      const files = await openFiles();
      const file = await files.match(path);
      if (file || !/^\/(?:art|photos)\//.test(path)) return file;
      const variants = (await files.keys()).map(({ url }) => toPath(url));
      const variant = variants.find((each) => toImageKey(each) === toImageKey(path));
      return variant === undefined ? undefined : files.match(variant);
    },

    /** Downloads the files of this worker's build. Throws if they cannot all be stored. */
    async install(): Promise<void> {
      await builds.add(settings.build);
      const inventory = await readInventory();
      const missing = Object.keys(settings.assets).filter((path) => !inventory.files.has(path));
      const bytes = missing.reduce(
        (sum, path) => sum + (settings.assets[path] ?? 0) + entryOverheadBytes,
        0,
      );
      if (!(await makeRoom(inventory, bytes))) throw new Error("There is not enough space.");
      const store = async (path: string) => {
        const response = await download(path);
        if (response.status !== 200) throw new Error(`${path} is missing.`);
        await putFile(path, response);
      };
      await Promise.all(missing.map(store));
      await store(offlinePath);
    },

    deleteUnused: () => enqueue(deleteUnused),

    /** Stores a page that the browser has just loaded. */
    addVisited: (path: string, response: Response) =>
      enqueue(() => storePage(path, response, { visitedAt: Date.now(), withImages: false })),

    /** Stores the page that the reader sees, and refreshes those that are always stored. */
    refresh: (path: string, saved: string[], savesData: boolean) =>
      enqueue(async () => {
        const found = await findPage(toUrl(path), savesData);
        const visitedAt = Date.now();
        if (found && (savesData || visitedAt - found.copy.storedAt < freshMs.visited))
          await updatePage(found.key, { visitedAt });
        else if (!savesData && mayStorePath(toUrl(path).pathname))
          await downloadPage(path, { visitedAt, withImages: true });
        for (const each of savesData ? [] : alwaysStoredPaths) {
          const copy = (await findPage(toUrl(each), false))?.copy;
          if (!copy || Date.now() - copy.storedAt > freshMs.alwaysStored)
            await downloadPage(each, { withImages: true });
        }
        await syncSaved(saved, savesData);
        return deleteUnused();
      }),

    save: (path: string, savesData: boolean) =>
      enqueue(() => downloadPage(path, { savedAt: Date.now(), withImages: !savesData })),

    remove: (path: string) =>
      enqueue(async () => {
        for (const key of findCopyKeys(toUrl(path), false))
          await updatePage(key, { savedAt: null });
        return deleteUnused();
      }),

    /** Deletes the copies of a page that the newsroom has removed. */
    deletePage: (url: URL) =>
      enqueue(async () => {
        const pages = await openPages();
        for (const key of findCopyKeys(url, false)) await pages.delete(key);
        return true;
      }),

    rememberClient: (id: string, build: string | null) =>
      enqueue(() => builds.rememberClient(id, build).then(() => true)),

    /** Stores nothing from now on, and deletes everything. */
    async close(): Promise<void> {
      isClosed = true;
      await queue;
      for (const name of Object.values(cacheNames)) await caches.delete(name);
    },
  };
}
