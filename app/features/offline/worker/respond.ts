import { browserSavesData } from "../../../lib/device/saves-data.ts";
import { pagePath } from "../../../lib/links/page-path.ts";
import { describeCopy, insertNotice } from "./markup.ts";
import { isLeftToBrowser, mayStorePath, mayStoreResponse, offlinePath } from "./policy.ts";
import type { FetchEvent, WorkerScope } from "./scope.ts";
import type { Store } from "./store.ts";

/**
 * How long we wait for the server: longer if there is no copy of the page. After a failure the next
 * page does not wait as long again, unless the reader reloads the page.
 */
const timeoutMs = {
  withCopy: { usual: 8_000, afterFailure: 2_000 },
  withoutCopy: { usual: 25_000, afterFailure: 12_000 },
};
const failureMs = 30_000;
const unavailableStatuses = [502, 503, 504];

/** Responds to the requests of pages. Requests that it does not know go to the network. */
export function createResponder(scope: WorkerScope, store: Store) {
  const { fetch, location, navigator, offlineSettings: settings } = scope;
  let failedAt = Number.NEGATIVE_INFINITY;

  const hasFailed = () => performance.now() - failedAt < failureMs;

  /**
   * Returns null if the server cannot be reached, or does not respond in time. If there is a copy,
   * this also applies to a server that is restarting or has lost its database.
   */
  async function waitForNetwork(
    response: Promise<Response>,
    { request }: FetchEvent,
    hasCopy: boolean,
  ): Promise<Response | null> {
    const isReload = request.cache === "no-cache" || request.cache === "reload";
    const { usual, afterFailure } = hasCopy ? timeoutMs.withCopy : timeoutMs.withoutCopy;
    const ms = hasFailed() && !isReload ? afterFailure : usual;
    const settled = response.catch(() => null);
    const timeout = new Promise<null>((resolve) => setTimeout(resolve, ms, null));
    const first = await Promise.race([settled, timeout]);
    const isUnavailable = first === null || unavailableStatuses.includes(first.status);
    if (!isUnavailable) failedAt = Number.NEGATIVE_INFINITY;
    // A reader who opens another page at once aborts the request.
    else if (!request.signal.aborted) failedAt = performance.now();
    return isUnavailable && hasCopy ? null : first;
  }

  async function respondWithCopy(url: URL): Promise<Response | null> {
    const found = await store.findPage(url, browserSavesData());
    if (!found) return null;
    const text = describeCopy(found.copy.sentAt, settings.timeZone, navigator.onLine);
    const html = insertNotice(await found.response.text(), text);
    return new Response(html, { headers: found.response.headers });
  }

  async function respondOffline(url: URL): Promise<Response> {
    const page = await store.findFile(offlinePath);
    if (!page) return Response.error();
    if (url.pathname === offlinePath) return page;
    // The page is not shown at this URL, because its scripts would look for the route of the URL.
    const query = new URLSearchParams({ for: url.pathname + url.search });
    return Response.redirect(`${location.origin}${offlinePath}?${query}`, 302);
  }

  async function respondToNavigation(event: FetchEvent): Promise<Response> {
    const url = new URL(event.request.url);
    const network = loadPage(event, url);
    // A response that is too late for this page is stored for the next time.
    event.waitUntil(network.catch(() => {}));
    const hasCopy = (await store.findPage(url, browserSavesData()).catch(() => null)) !== null;
    const response = await waitForNetwork(network, event, hasCopy);
    if (response === null)
      return (await respondWithCopy(url).catch(() => null)) ?? (await respondOffline(url));
    return response;
  }

  /**
   * The browser has already requested a page or frame when it starts the worker. We use that
   * response, because a frame would be requested twice otherwise.
   */
  const loadFromServer = async (event: FetchEvent): Promise<Response> =>
    (await event.preloadResponse) ?? fetch(event.request);

  /** Loads a page from the server, and updates its copy. */
  async function loadPage(event: FetchEvent, url: URL): Promise<Response> {
    const response = await loadFromServer(event);
    if (mayStorePath(url.pathname) && mayStoreResponse(response))
      event.waitUntil(store.addVisited(url.pathname + url.search, response.clone()));
    if (response.status === 404 || response.status === 410) event.waitUntil(store.removePage(url));
    return response;
  }

  /**
   * React Router loads the data of a page when the reader follows a link. Without a connection, it
   * should load the page itself, of which we may have a copy.
   */
  async function respondToData(event: FetchEvent): Promise<Response> {
    const url = new URL(event.request.url);
    const page = new URL(pagePath(url.pathname) + url.search, location.origin);
    page.searchParams.delete("_routes");
    const hasCopy = (await store.findPage(page, browserSavesData()).catch(() => null)) !== null;
    const response = await waitForNetwork(fetch(event.request), event, hasCopy);
    const headers = {
      "X-Remix-Redirect": page.pathname + page.search,
      "X-Remix-Reload-Document": "true",
    };
    return response ?? new Response(null, { status: 204, headers });
  }

  const respondWithFile = async (request: Request, path: string): Promise<Response> =>
    (await store.findFile(path).catch(() => undefined)) ?? fetch(request);

  return (event: FetchEvent): void => {
    const { request } = event;
    const { origin, pathname, search } = new URL(request.url);
    if (request.method !== "GET" || origin !== location.origin || isLeftToBrowser(pathname)) return;
    if (request.mode === "navigate") {
      const isPage = request.destination === "document";
      event.respondWith(isPage ? respondToNavigation(event) : loadFromServer(event));
    } else if (pathname.endsWith(".data")) event.respondWith(respondToData(event));
    else if (
      // A file of a build never changes, and the server no longer has those of older builds.
      pathname.startsWith("/assets/") ||
      // The newsroom may remove an image, so the server decides as long as it responds.
      (request.destination === "image" && (!navigator.onLine || hasFailed()))
    )
      event.respondWith(respondWithFile(request, pathname + search));
  };
}
