import { cacheNames, listPageCopies, toPath } from "../page-copy.ts";
import { openBuilds } from "./builds.ts";
import { type Inventory, planDeletions } from "./plan-deletions.ts";
import type { StoreScope } from "./scope.ts";

/** The size of a file that does not belong to a build. */
export const bytesHeader = "x-bytes";

export type Space = ReturnType<typeof openSpace>;

/** Knows everything that is stored on the device, and deletes what exceeds the budget. */
export function openSpace(scope: StoreScope) {
  const { caches } = scope;
  const builds = openBuilds(scope);

  async function read(): Promise<Inventory> {
    const cache = await caches.open(cacheNames.files);
    // A worker that installs a new build adds the build before its files. In the other order, this
    // function could see a file whose build it does not know.
    const requests = await cache.keys();
    const { assets, ...known } = await builds.read();
    const files = new Map<string, number>();
    for (const request of requests) {
      const path = toPath(request.url);
      const bytes = assets.get(path) ?? (await cache.match(request))?.headers.get(bytesHeader);
      files.set(path, Number(bytes));
    }
    return { pages: await listPageCopies(caches), files, ...known };
  }

  /** Deletes what exceeds the budget. Returns whether there is space for `newBytes` more. */
  async function makeRoom(inventory: Inventory, newBytes = 0): Promise<boolean> {
    const plan = planDeletions(inventory, newBytes);
    const pages = await caches.open(cacheNames.pages);
    for (const key of plan.pages) {
      await pages.delete(key);
      inventory.pages.delete(key);
    }
    const files = await caches.open(cacheNames.files);
    for (const path of plan.files) {
      await files.delete(path);
      inventory.files.delete(path);
    }
    return plan.fits;
  }

  return {
    read,
    makeRoom,
    addBuild: builds.add,

    /** Also deletes what no page needs anymore. */
    async deleteUnused(): Promise<void> {
      const inventory = await read();
      await makeRoom(inventory);
      const pageBuilds = [...inventory.pages.values()].flatMap(({ build }) => build ?? []);
      const needed = new Set([...inventory.buildsInUse, ...pageBuilds]);
      // Only builds of this inventory: meanwhile another worker may have added its own.
      await builds.delete([...inventory.builds.keys()].filter((build) => !needed.has(build)));
    },
  };
}
