import { toImageKey } from "../../../lib/images/art.ts";
import { cacheNames, type PageCopy, toPath } from "../page-copy.ts";
import { findImages } from "./markup.ts";
import { offlinePath } from "./policy.ts";
import type { WorkerScope } from "./scope.ts";
import { bytesHeader, entryOverheadBytes, type Inventory, type Space } from "./space.ts";

const downloadTimeoutMs = 30_000;
const maxStoredImageBytes = 1_000_000;
/** The page that lists what is stored is a file too, and needs its policy. */
const storedHeaders = ["Content-Type", "Content-Security-Policy"];

/** The name of the stylesheet changes with the city's colors, also between two builds. */
const stylesheet = /^\/assets\/app-[\w-]{8}\.css$/;
/** All versions of the stylesheet, and all variants of an image, have the same key. */
const toFileKey = (path: string) => (stylesheet.test(path) ? "stylesheet" : toImageKey(path));

export type Files = ReturnType<typeof openFiles>;

const buildPrefix = "build-";

/**
 * Stores images, and the scripts, stylesheets and fonts of each build in a cache of its own. The
 * server has only the files of its current build, so those of the previous one stay stored: a tab
 * that was opened before the upgrade, or a stored page, may still need them.
 */
export function openFiles(
  { caches, fetch, offlineSettings: settings }: WorkerScope,
  space: Space,
  closed: AbortSignal,
) {
  const buildName = buildPrefix + settings.build;

  /** Requests a page or file as a reader whom the server does not know. */
  const download = (path: string): Promise<Response> =>
    fetch(path, {
      credentials: "omit",
      redirect: "error",
      priority: "low",
      signal: AbortSignal.any([closed, AbortSignal.timeout(downloadTimeoutMs)]),
    });

  async function put(
    cacheName: string,
    path: string,
    body: ArrayBuffer,
    received: Headers,
  ): Promise<void> {
    const headers = new Headers({ [bytesHeader]: String(body.byteLength) });
    for (const name of storedHeaders) {
      const value = received.get(name);
      if (value !== null) headers.set(name, value);
    }
    await (await caches.open(cacheName)).put(path, new Response(body, { headers }));
  }

  return {
    download,

    /** Finds a file, or another variant of the same image or of the stylesheet. */
    async find(path: string): Promise<Response | undefined> {
      // Unlike `open`, this does not create a cache that the reader has deleted.
      const file =
        (await caches.match(path, { cacheName: buildName })) ?? (await caches.match(path));
      if (file) return file;
      for (const name of [buildName, cacheNames.images]) {
        if (!(await caches.has(name))) continue;
        const cache = await caches.open(name);
        const stored = (await cache.keys()).map(({ url }) => toPath(url));
        const variant = stored.find((each) => toFileKey(each) === toFileKey(path));
        if (variant !== undefined) return cache.match(variant);
      }
      return undefined;
    },

    /** Whether everything of this worker's build is stored. */
    isBuildStored: async (): Promise<boolean> =>
      (await caches.match(offlinePath, { cacheName: buildName })) !== undefined,

    /** Stores what is missing of this worker's build. Throws if it cannot all be stored. */
    async storeBuild(): Promise<void> {
      const store = async (path: string, response: Response): Promise<void> => {
        if (response.status !== 200) throw new Error(`${path} is missing.`);
        await put(buildName, path, await response.arrayBuffer(), response.headers);
      };
      const results = await Promise.allSettled(
        Object.keys(settings.assets).map(async (path) =>
          // Most files are the same as in the previous build.
          store(path, (await caches.match(path)) ?? (await download(path))),
        ),
      );
      for (const result of results) if (result.status === "rejected") throw result.reason;
      // This page is the last file that is stored. The low-data edition has no scripts, so it could
      // not list what is stored.
      await store(offlinePath, await download(`${offlinePath}?edition=full`));
    },

    /** Deletes all builds except this worker's and the one that was stored last besides it. */
    async deleteOldBuilds(): Promise<void> {
      const names = (await caches.keys()).filter(
        (name) => name.startsWith(buildPrefix) && name !== buildName,
      );
      for (const name of names.slice(0, -1)) await caches.delete(name);
    },

    /** Stores the images of a page that is in the inventory, and adds their paths to its copy. */
    async storeImages(
      inventory: Inventory,
      copy: PageCopy,
      html: string,
      max: number,
    ): Promise<void> {
      const paths = findImages(html, max);
      // An image that no page needs is deleted as soon as the next one needs room.
      copy.images = [...copy.images, ...paths];
      for (const path of paths) {
        if (inventory.images.has(path)) continue;
        const response = await download(path).catch(() => null);
        const isImage = response?.headers.get("Content-Type")?.startsWith("image/");
        const announcedBytes = Number(response?.headers.get("Content-Length") ?? 0);
        if (response?.status !== 200 || !isImage || announcedBytes > maxStoredImageBytes) continue;
        // The announced size is that of the compressed image, if there is one at all.
        const body = await response.arrayBuffer().catch(() => null);
        if (body === null || body.byteLength > maxStoredImageBytes) continue;
        if (!(await space.makeRoom(inventory, body.byteLength + entryOverheadBytes))) break;
        try {
          await put(cacheNames.images, path, body, response.headers);
        } catch {
          break;
        }
        inventory.images.set(path, body.byteLength);
      }
      copy.images = paths.filter((path) => inventory.images.has(path));
    },
  };
}
