import type { StoreScope, WorkerScope } from "./scope.ts";

/** Returns what the store may use. Once `closed` is aborted, running work can store nothing. */
export function makeClosable(scope: WorkerScope, closed: AbortSignal): StoreScope {
  const { caches, fetch, location, offlineSettings } = scope;
  return {
    location,
    offlineSettings,
    fetch: (input, init) => {
      const signals = init?.signal ? [init.signal, closed] : [closed];
      return fetch(input, { ...init, signal: AbortSignal.any(signals) });
    },
    caches: {
      has: (name) => caches.has(name),
      match: (request, options) => caches.match(request, options),
      async open(name) {
        // Opening a cache that was deleted would create it.
        closed.throwIfAborted();
        const cache = await caches.open(name);
        return {
          match: (request) => cache.match(request),
          keys: () => cache.keys(),
          delete: (request) => cache.delete(request),
          async put(request, response) {
            closed.throwIfAborted();
            await cache.put(request, response);
          },
        };
      },
    },
  };
}
