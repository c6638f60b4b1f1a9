import { toImageKey } from "../../../lib/images/art.ts";
import { cacheNames, type PageCopy, toPath } from "../page-copy.ts";
import { findImages } from "./markup.ts";
import { entryOverheadBytes, type Inventory } from "./plan-deletions.ts";
import type { StoreScope } from "./scope.ts";
import { bytesHeader, type Space } from "./space.ts";

const downloadTimeoutMs = 30_000;
const maxStoredImageBytes = 1_000_000;
/** The page that lists what is stored is a file too, and needs its policy. */
const storedHeaders = ["Content-Type", "Content-Security-Policy"];

/** The name of the stylesheet changes with the city's colors, also between two builds. */
const stylesheet = /^\/assets\/app-[\w-]{8}\.css$/;
/** All versions of the stylesheet, and all variants of an image, have the same key. */
const toFileKey = (path: string) => (stylesheet.test(path) ? "stylesheet" : toImageKey(path));

export type Files = ReturnType<typeof openFiles>;

/** Stores scripts, stylesheets, fonts and images. */
export function openFiles({ caches, fetch }: StoreScope, space: Space) {
  const openCache = () => caches.open(cacheNames.files);

  /** Requests a page or file as a reader whom the server does not know. */
  const download = (path: string): Promise<Response> =>
    fetch(path, {
      credentials: "omit",
      redirect: "error",
      priority: "low",
      signal: AbortSignal.timeout(downloadTimeoutMs),
    });

  async function put(path: string, body: ArrayBuffer, received: Headers): Promise<void> {
    const headers = new Headers({ [bytesHeader]: String(body.byteLength) });
    for (const name of storedHeaders) {
      const value = received.get(name);
      if (value !== null) headers.set(name, value);
    }
    await (await openCache()).put(path, new Response(body, { headers }));
  }

  return {
    download,

    /** Finds a file, or another variant of the same image or of the stylesheet. */
    async find(path: string): Promise<Response | undefined> {
      // Unlike `open`, this does not create a cache that the reader has deleted.
      const file = await caches.match(path, { cacheName: cacheNames.files });
      if (file || !(await caches.has(cacheNames.files))) return file;
      const cache = await openCache();
      const stored = (await cache.keys()).map(({ url }) => toPath(url));
      const variant = stored.find((each) => toFileKey(each) === toFileKey(path));
      return variant === undefined ? undefined : cache.match(variant);
    },

    /** Downloads and stores a file. Throws if it cannot be stored. */
    async store(path: string, query = ""): Promise<void> {
      const response = await download(path + query);
      if (response.status !== 200) throw new Error(`${path} is missing.`);
      await put(path, await response.arrayBuffer(), response.headers);
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
        if (inventory.files.has(path)) continue;
        const response = await download(path).catch(() => null);
        const isImage = response?.headers.get("Content-Type")?.startsWith("image/");
        const announcedBytes = Number(response?.headers.get("Content-Length") ?? 0);
        if (response?.status !== 200 || !isImage || announcedBytes > maxStoredImageBytes) continue;
        // The announced size is that of the compressed image, if there is one at all.
        const body = await response.arrayBuffer().catch(() => null);
        if (body === null || body.byteLength > maxStoredImageBytes) continue;
        if (!(await space.makeRoom(inventory, body.byteLength + entryOverheadBytes))) break;
        try {
          await put(path, body, response.headers);
        } catch {
          break;
        }
        inventory.files.set(path, body.byteLength);
      }
      copy.images = paths.filter((path) => inventory.files.has(path));
    },
  };
}
