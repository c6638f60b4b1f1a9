import { readFile } from "node:fs/promises";
import { LRUCache } from "lru-cache";
import { createInFlight } from "../../lib/http/in-flight.server.ts";
import { createConcurrencyLimit, type Limit } from "../../lib/http/limits.server.ts";
import { openFileCache } from "../../lib/images/file-cache.server.ts";
import { errorFields, type Log } from "../../lib/log.ts";
import type { RenderedImage } from "./render.server.ts";

const folderBytes = 100 * 1024 * 1024;
/** How many images may wait to be made. They are made one at a time. */
export const shareImageLimit = {
  what: "share images that are not stored yet",
  concurrent: { visitor: 5, all: 40 },
  messages: { visitor: "The site is very busy. Please try again in a moment." },
} satisfies Limit;
/** After this time, we try again to make an image that failed. */
const retryAfterMs = 5 * 60_000;
const maxFailures = 500;

/** The current image of one page. */
type Item = { key: string; version: string };

/** "busy" if too many images are waiting, "failed" if the image cannot be made. */
type StoreResult = RenderedImage | "busy" | "failed";

export function createStore({ folder, log }: { folder: string; log: Log }) {
  const files = openFileCache(folder, { maxBytes: folderBytes, log });
  const failures = new LRUCache<string, true>({ max: maxFailures, ttl: retryAfterMs });
  const inFlight = createInFlight<RenderedImage | "failed">();
  const slots = createConcurrencyLimit(shareImageLimit.concurrent);

  const nameOf = ({ key, version }: Item) => `${key} ${version}`;
  const fileOf = ({ key, version }: Item) => ({ item: key, version, name: "image.png" });

  async function find(item: Item): Promise<RenderedImage | null> {
    const path = await files.find(fileOf(item));
    const bytes = path === null ? null : await readFile(path).catch(() => null);
    // A power failure can leave an empty file.
    return bytes?.length ? { bytes, isFinal: true } : null;
  }

  async function make(
    item: Item,
    render: () => Promise<RenderedImage>,
  ): Promise<RenderedImage | "failed"> {
    try {
      const image = await render();
      if (image.isFinal)
        await files
          .store(fileOf(item), image.bytes)
          .catch((error) => log.warn("share_image.not_stored", errorFields(error)));
      return image;
    } catch (error) {
      failures.set(nameOf(item), true);
      log.warn("share_image.failed", { item: item.key, ...errorFields(error) });
      return "failed";
    }
  }

  return {
    /** Returns a stored image, or makes it. Requests for the same image share the work. */
    async get(
      item: Item,
      ipAddress: string,
      render: () => Promise<RenderedImage>,
    ): Promise<StoreResult> {
      const stored = await find(item);
      if (stored) return stored;
      const name = nameOf(item);
      if (failures.has(name)) return "failed";
      const release = inFlight.has(name) ? () => {} : slots.takeSlot(ipAddress);
      if (!release) return "busy";
      return inFlight.share(name, () => make(item, render)).finally(release);
    },
  };
}
