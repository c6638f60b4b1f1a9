import { cacheNames } from "../page-copy.ts";
import { offlinePath } from "./policy.ts";
import type { StoreScope } from "./scope.ts";

type BuildRecord = { assets: Record<string, number>; installedAt: number };
type ClientBuilds = Record<string, string | null>;

const clientsKey = "/clients";
const toKey = (build: string) => `/build/${build}`;

/**
 * Remembers which files belong to which build of the site, and which build each open page uses. The
 * server has only the files of its current build, so the device stores those of a page that was
 * opened before.
 */
export function openBuilds({ caches, clients, offlineSettings: settings }: StoreScope) {
  const openCache = () => caches.open(cacheNames.builds);
  const readJson = async (key: string): Promise<unknown> =>
    (await (await openCache()).match(key))?.json();
  const writeJson = async (key: string, value: unknown) =>
    (await openCache()).put(key, Response.json(value));
  // Only this module writes these entries.
  const readClients = async () => ((await readJson(clientsKey)) ?? {}) as ClientBuilds;

  async function readRecords(): Promise<Map<string, BuildRecord>> {
    const cache = await openCache();
    const records = new Map<string, BuildRecord>();
    for (const { url } of await cache.keys()) {
      const { pathname } = new URL(url);
      const build = pathname.startsWith(toKey("")) ? pathname.slice(toKey("").length) : "";
      if (build !== "") records.set(build, (await readJson(pathname)) as BuildRecord);
    }
    return records;
  }

  /** Returns the builds of all open pages; null if a page has not told us its build. */
  async function findOpenBuilds(): Promise<(string | null)[] | null> {
    const open = await clients.matchAll({ type: "window", includeUncontrolled: true });
    const known = await readClients();
    return open.every(({ id }) => id in known) ? open.map(({ id }) => known[id] ?? null) : null;
  }

  return {
    async add(build: string): Promise<void> {
      const { assets } = settings;
      await writeJson(toKey(build), { assets, installedAt: Date.now() } satisfies BuildRecord);
    },

    async read() {
      const records = await readRecords();
      // The newest build may belong to a worker that is being installed.
      const newest = [...records].toSorted(
        ([, one], [, other]) => other.installedAt - one.installedAt,
      )[0]?.[0];
      const open = (await findOpenBuilds()) ?? [...records.keys()];
      const inUse = [settings.build, newest, ...open].filter((build) => typeof build === "string");
      return {
        builds: new Map(
          [...records].map(([build, { assets }]) => [build, [...Object.keys(assets), offlinePath]]),
        ),
        /** The bytes of the files of all builds. */
        assets: new Map([...records.values()].flatMap(({ assets }) => Object.entries(assets))),
        buildsInUse: new Set(inUse),
      };
    },

    async rememberClient(id: string, build: string | null): Promise<void> {
      const known = await readClients();
      if (known[id] === build) return;
      const open = await clients.matchAll({ type: "window", includeUncontrolled: true });
      const entries = Object.entries(known).filter(([each]) =>
        open.some((client) => client.id === each),
      );
      await writeJson(clientsKey, Object.fromEntries([...entries, [id, build]]));
    },

    async delete(unneeded: string[]): Promise<void> {
      const cache = await openCache();
      for (const build of unneeded) await cache.delete(toKey(build));
    },
  };
}
