import { browserSavesData } from "../../../lib/device/saves-data.ts";
import { cacheNames } from "../page-copy.ts";
import type { StoreScope } from "./scope.ts";

const key = "/data-saver";

/**
 * Remembers whether the reader has turned on the data saver. Only pages know this setting, and a
 * page is loaded before it can tell the worker.
 */
export const openDataSaver = ({ caches }: StoreScope) => ({
  isOn: async (): Promise<boolean> =>
    browserSavesData() || (await caches.match(key, { cacheName: cacheNames.builds })) !== undefined,

  async remember(isOn: boolean): Promise<void> {
    const cache = await caches.open(cacheNames.builds);
    await (isOn ? cache.put(key, new Response()) : cache.delete(key));
  },
});
