import { cacheNames, listPageCopies, type PageCopy, toPath } from "../page-copy.ts";
import { isAlwaysStored } from "./policy.ts";
import type { WorkerScope } from "./scope.ts";

/** Everything that is stored on the device is at most this large. */
const maxStoredBytes = 15_000_000;
/** The headers and the URL of an entry take up space too. */
export const entryOverheadBytes = 2_000;
/** Saved items leave space for the shell, its next version, and the newest pages. */
export const maxSavedBytes = 10_000_000;
export const maxVisitedPages = 50;

export type Inventory = {
  pages: Map<string, PageCopy>;
  /** The bytes of images by path. */
  images: Map<string, number>;
  /** The bytes of scripts, stylesheets and fonts. */
  buildBytes: number;
};

/** The size of an image. */
export const bytesHeader = "x-bytes";

/** The current build and the previous one. */
const storedBuilds = 2;

export type Space = ReturnType<typeof openSpace>;

/** Knows everything that is stored on the device, and deletes what exceeds the budget. */
export function openSpace({ caches, offlineSettings: { assets } }: WorkerScope) {
  const buildBytes = Object.values(assets).reduce(
    (sum, bytes) => sum + bytes + entryOverheadBytes,
    0,
  );

  async function read(): Promise<Inventory> {
    const cache = await caches.open(cacheNames.images);
    const images = new Map<string, number>();
    for (const request of await cache.keys()) {
      const image = await cache.match(request);
      images.set(toPath(request.url), Number(image?.headers.get(bytesHeader)));
    }
    const pages = await listPageCopies();
    return { pages, images, buildBytes: storedBuilds * buildBytes };
  }

  /** Deletes what exceeds the budget. Returns whether there is space for `newBytes` more. */
  async function makeRoom(inventory: Inventory, newBytes = 0): Promise<boolean> {
    const plan = planDeletions(inventory, newBytes);
    const pages = await caches.open(cacheNames.pages);
    for (const key of plan.pages) {
      await pages.delete(key);
      inventory.pages.delete(key);
    }
    const images = await caches.open(cacheNames.images);
    for (const path of plan.images) {
      await images.delete(path);
      inventory.images.delete(path);
    }
    return plan.fits;
  }

  return {
    read,
    makeRoom,
    /** Also deletes the images that no page needs anymore. */
    deleteUnused: async () => makeRoom(await read()),
  };
}

/**
 * Decides what to delete, so that everything and `newBytes` more fit into the budget: the pages
 * that were visited longest ago, then images. Saved pages are never deleted.
 */
export function planDeletions(inventory: Inventory, newBytes = 0) {
  const pages = new Map(inventory.pages);
  const visited = [...pages]
    .filter(([key, { savedAt }]) => savedAt === null && !isAlwaysStored(key))
    .toSorted(([, one], [, other]) => (other.visitedAt ?? 0) - (one.visitedAt ?? 0))
    .map(([key]) => key);
  for (const key of visited.splice(maxVisitedPages)) pages.delete(key);
  // The images of lists are deleted before those of saved items, and old ones before new ones.
  const pagesWithImages = [...pages]
    .toSorted(([, one], [, other]) => (one.savedAt ?? 0) - (other.savedAt ?? 0))
    .map(([key]) => key);
  const withoutImages = new Set<string>();

  const listNeededImages = () =>
    new Set([...pages].flatMap(([key, { images }]) => (withoutImages.has(key) ? [] : images)));
  const countBytes = () =>
    inventory.buildBytes +
    [...pages.values()].reduce((sum, { bytes }) => sum + bytes + entryOverheadBytes, 0) +
    [...listNeededImages()].reduce((sum, path) => {
      const bytes = inventory.images.get(path);
      return bytes === undefined ? sum : sum + bytes + entryOverheadBytes;
    }, 0);

  let fits = countBytes() + newBytes <= maxStoredBytes;
  while (!fits) {
    const oldest = visited.pop();
    const next = oldest === undefined ? pagesWithImages.shift() : undefined;
    if (oldest !== undefined) pages.delete(oldest);
    else if (next !== undefined) withoutImages.add(next);
    else break;
    fits = countBytes() + newBytes <= maxStoredBytes;
  }
  const neededImages = listNeededImages();
  return {
    pages: [...inventory.pages.keys()].filter((key) => !pages.has(key)),
    images: [...inventory.images.keys()].filter((path) => !neededImages.has(path)),
    /** Whether there is enough space after the deletions. */
    fits,
  };
}
