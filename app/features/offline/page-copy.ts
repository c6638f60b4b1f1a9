/**
 * The caches that the service worker fills, besides one with the files of each build. Pages read
 * them to list what is stored.
 */
export const cacheNames = { pages: "pages", images: "images", settings: "settings" } as const;

export type PageCopy = {
  title: string;
  /** When the server sent the page, by its own clock, in milliseconds since 1970. */
  sentAt: number;
  /** When the page was stored, by the clock of the device. */
  storedAt: number;
  visitedAt: number | null;
  savedAt: number | null;
  images: string[];
  bytes: number;
};

/**
 * The facts about a copy are in a header of the stored response, so that a copy and its facts are
 * always stored, replaced and deleted together.
 */
const factsHeader = "x-page-copy";

export function readPageCopy(response: Response): PageCopy | null {
  const facts = response.headers.get(factsHeader);
  return facts === null ? null : JSON.parse(decodeURIComponent(facts));
}

/** Returns the response to store: its body, what the browser needs to show it, and the facts. */
export function writePageCopy(body: BodyInit, headers: Headers, copy: PageCopy): Response {
  return new Response(body, {
    headers: {
      "Content-Type": "text/html; charset=utf-8",
      "Content-Security-Policy": headers.get("Content-Security-Policy") ?? "default-src 'none'",
      [factsHeader]: encodeURIComponent(JSON.stringify(copy)),
    },
  });
}

/** Returns all stored pages by their path. A browser that blocks storage has none. */
export async function listPageCopies(): Promise<Map<string, PageCopy>> {
  const copies = new Map<string, PageCopy>();
  // Opening a cache that does not exist would create it.
  if (!(await caches.has(cacheNames.pages))) return copies;
  const cache = await caches.open(cacheNames.pages);
  const requests = await cache.keys();
  // The reader may have deleted everything just now, so that this has created the cache again.
  if (requests.length === 0) await caches.delete(cacheNames.pages);
  for (const request of requests) {
    const response = await cache.match(request);
    const copy = response && readPageCopy(response);
    if (copy) copies.set(toPath(request.url), copy);
  }
  return copies;
}

/** A stored copy counts in either edition. A copy with other parameters is another page. */
export const listStoredPaths = async (): Promise<Set<string>> =>
  new Set([...(await listPageCopies()).keys()].map(withoutEdition));

/** Returns the path of a page by the key of its copy, which is the same for both editions. */
export function withoutEdition(key: string): string {
  const [path = "", query] = key.split("?");
  const parameters = new URLSearchParams(query);
  parameters.delete("edition");
  const others = String(parameters);
  return others === "" ? path : `${path}?${others}`;
}

export function toPath(url: string): string {
  const { pathname, search } = new URL(url);
  return pathname + search;
}

/** What a page tells the worker when the reader opens the page, saves something or removes it. */
export type WorkerMessage = {
  /** The page that the reader has opened. */
  visited: string | null;
  /** The paths of all saved pages, the newest first. */
  saved: string[];
  savesData: boolean;
};

/** The worker's reply: whether all saved pages fit on the device. */
export type WorkerReply = "done" | "no space";
