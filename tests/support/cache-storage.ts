type Key = string | { url: string };

/** Cache Storage in memory, as far as the service worker uses it. Node.js has none. */
export function createCacheStorage(origin: string) {
  const caches = new Map<string, Map<string, Response>>();
  const toUrl = (key: Key) => new URL(typeof key === "string" ? key : key.url, origin).href;
  const open = (name: string) => {
    const entries = caches.get(name) ?? new Map<string, Response>();
    caches.set(name, entries);
    return {
      put: async (key: Key, response: Response) => void entries.set(toUrl(key), response),
      match: async (key: Key) => entries.get(toUrl(key))?.clone(),
      delete: async (key: Key) => entries.delete(toUrl(key)),
      keys: async () => [...entries.keys()].map((url) => ({ url })),
    };
  };
  return {
    open: async (name: string) => open(name),
    has: async (name: string) => caches.has(name),
    keys: async () => [...caches.keys()],
    delete: async (name: string) => caches.delete(name),
    match: async (key: Key, options?: { cacheName: string }) => {
      const names = options ? [options.cacheName] : [...caches.keys()];
      const found = names.find((name) => caches.get(name)?.has(toUrl(key)));
      return found && caches.get(found)?.get(toUrl(key))?.clone();
    },
    /** The paths in a cache, in the order of the alphabet. */
    list: (name: string): string[] =>
      [...(caches.get(name)?.keys() ?? [])].map((url) => url.slice(origin.length)).toSorted(),
  };
}
