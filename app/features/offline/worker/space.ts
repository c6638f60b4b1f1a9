import { cacheNames, listPageCopies, toPath } from "../page-copy.ts";
import { entryOverheadBytes, type Inventory, planDeletions } from "./plan-deletions.ts";
import type { StoreScope } from "./scope.ts";

/** The size of an image. */
export const bytesHeader = "x-bytes";

/** The current build and the previous one. */
const storedBuilds = 2;

export type Space = ReturnType<typeof openSpace>;

/** Knows everything that is stored on the device, and deletes what exceeds the budget. */
export function openSpace({ caches, offlineSettings: { assets } }: StoreScope) {
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
    const pages = await listPageCopies(caches);
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
