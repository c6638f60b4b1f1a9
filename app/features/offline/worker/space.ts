import { cacheNames, listPageCopies, toPath } from "../page-copy.ts";
import { type Inventory, planDeletions } from "./plan-deletions.ts";
import { offlinePath } from "./policy.ts";
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
      // Only builds of this inventory are deleted: another worker may have added its own meanwhile.
      await builds.delete([...inventory.builds.keys()].filter((build) => !needed.has(build)));
    },
  };
}

type BuildRecord = { assets: Record<string, number>; installedAt: number };

/** Open tabs need the previous build for a while, also if their pages are never stored. */
const keepPreviousMs = 24 * 60 * 60_000;

const toKey = (build: string) => `/build/${build}`;

/**
 * Remembers which files belong to which build of the site. The server has only the files of its
 * current build, so the device stores those of a page that was opened before.
 */
function openBuilds({ caches, offlineSettings: settings }: StoreScope) {
  const openCache = () => caches.open(cacheNames.builds);

  async function readRecords(): Promise<Map<string, BuildRecord>> {
    const cache = await openCache();
    const records = new Map<string, BuildRecord>();
    for (const { url } of await cache.keys()) {
      const { pathname } = new URL(url);
      const build = pathname.startsWith(toKey("")) ? pathname.slice(toKey("").length) : "";
      const response = build === "" ? undefined : await cache.match(pathname);
      // The cast is safe, because only this module writes these entries.
      if (response) records.set(build, (await response.json()) as BuildRecord);
    }
    return records;
  }

  return {
    async add(build: string): Promise<void> {
      const { assets } = settings;
      const record: BuildRecord = { assets, installedAt: Date.now() };
      await (await openCache()).put(toKey(build), Response.json(record));
    },

    async read() {
      const records = await readRecords();
      // The newest build may belong to a worker that is being installed.
      const newestFirst = [...records].toSorted(
        ([, one], [, other]) => other.installedAt - one.installedAt,
      );
      const age = Date.now() - (newestFirst[0]?.[1].installedAt ?? 0);
      const recent = newestFirst.slice(0, age < keepPreviousMs ? 2 : 1);
      return {
        builds: new Map(
          [...records].map(([build, { assets }]) => [build, [...Object.keys(assets), offlinePath]]),
        ),
        assets: new Map([...records.values()].flatMap(({ assets }) => Object.entries(assets))),
        buildsInUse: new Set([settings.build, ...recent.map(([build]) => build)]),
      };
    },

    async delete(unneeded: string[]): Promise<void> {
      const cache = await openCache();
      for (const build of unneeded) await cache.delete(toKey(build));
    },
  };
}
