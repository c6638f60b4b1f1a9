import { cacheNames } from "../page-copy.ts";
import { offlinePath } from "./policy.ts";
import type { StoreScope } from "./scope.ts";

type BuildRecord = { assets: Record<string, number>; installedAt: number };

/** Open tabs need the previous build for a while, also those whose pages are never stored. */
const keepPreviousMs = 24 * 60 * 60_000;

const toKey = (build: string) => `/build/${build}`;

/** Remembers the files of each build. The server has only those of its current build. */
export function openBuilds({ caches, offlineSettings: settings }: StoreScope) {
  const openCache = () => caches.open(cacheNames.builds);

  async function readRecords(): Promise<Map<string, BuildRecord>> {
    const cache = await openCache();
    const records = new Map<string, BuildRecord>();
    for (const { url } of await cache.keys()) {
      const { pathname } = new URL(url);
      const build = pathname.startsWith(toKey("")) ? pathname.slice(toKey("").length) : "";
      const response = build === "" ? undefined : await cache.match(pathname);
      // Only this module writes these entries.
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
        /** The bytes of the files of all builds. */
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
