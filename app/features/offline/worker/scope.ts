/**
 * What we use of the service worker's global scope. TypeScript's library of these types cannot be
 * combined with the one for pages.
 */
export type WorkerScope = Pick<
  Window & typeof globalThis,
  "caches" | "fetch" | "navigator" | "location"
> & {
  registration: ServiceWorkerRegistration;
  clients: {
    claim(): Promise<void>;
    matchAll(options: { type: "window"; includeUncontrolled: true }): Promise<{ id: string }[]>;
  };
  skipWaiting(): Promise<void>;
  addEventListener(type: "install" | "activate", listener: (event: LifetimeEvent) => void): void;
  addEventListener(type: "fetch", listener: (event: FetchEvent) => void): void;
  addEventListener(type: "message", listener: (event: PageMessageEvent) => void): void;
  /** The server writes the settings before the worker's code. */
  offlineSettings: OfflineSettings;
};

export type OfflineSettings = {
  build: string;
  /** The bytes of the build's scripts, stylesheets and fonts by path. */
  assets: Record<string, number>;
  siteName: string;
  timeZone: string;
  /** The first segments of the paths that the city does not have, if there are any. */
  absent?: readonly string[];
};

type LifetimeEvent = Event & { waitUntil(work: Promise<unknown>): void };

export type FetchEvent = LifetimeEvent & {
  request: Request;
  preloadResponse: Promise<Response | undefined>;
  respondWith(response: Promise<Response>): void;
};

type PageMessageEvent = MessageEvent & LifetimeEvent & { source: { id?: string } | null };
