import { withoutEdition } from "../page-copy.ts";

/**
 * Pages that readers can open without a connection even if they have not visited them. The privacy
 * page has the button that deletes everything.
 */
export const alwaysStoredPaths = ["/", "/news", "/events", "/saved", "/privacy"];

/** Whether the key of a copy is that of such a page, in either edition. */
export const isAlwaysStored = (key: string): boolean =>
  alwaysStoredPaths.includes(withoutEdition(key));

/** The page that lists what is stored. It belongs to the shell. */
export const offlinePath = "/offline";

/**
 * Pages that are never stored, whatever their headers say: they have forms, show unpublished
 * stories, are rendered for one request, or are useless without a connection.
 */
const neverStored =
  /^\/(?:api|contact|desk|embed|functions|newsletter|offline|preview|radio|search|status)(?:\/|$)|\/submit$/i;

/**
 * The worker leaves the pages of editors to the browser: what an editor typed must not be replaced
 * by the readers' page without a connection.
 */
export const isLeftToBrowser = (path: string): boolean => /^\/desk(?:[./]|$)/i.test(path);

/** Feeds, calendars, images and the data of React Router are not pages. */
const isFile = /\.\w+$/;

const maxPathLength = 500;

export const mayStorePath = (path: string): boolean =>
  !neverStored.test(path) && !isFile.test(path);

type PageResponse = Pick<Response, "status" | "type" | "redirected"> & {
  headers: Pick<Headers, "get">;
};

/** The server says "public" only about pages that are the same for every reader. */
export function mayStoreResponse({ status, type, redirected, headers }: PageResponse): boolean {
  const cacheControl = headers.get("Cache-Control") ?? "";
  return (
    status === 200 &&
    type === "basic" &&
    !redirected &&
    (headers.get("Content-Type") ?? "").startsWith("text/html") &&
    /\bpublic\b/.test(cacheControl) &&
    !/\b(?:no-store|private)\b/.test(cacheControl)
  );
}

/** Whether the page contains a form token, which must never be stored. */
export const hasFormToken = (html: string): boolean => /\bname="token"/.test(html);

/** Parameters that do not change a page, or that are a part of the key themselves. */
const ignoredParameter =
  /^(?:utm_\w+|mc_[ce]id|fbclid|gclid|msclkid|twclid|igsh(?:id)?|ref|si|edition)$/;

/**
 * Returns the path under which a page is stored, or null if it is too long. The low-data edition is
 * a separate copy, because a reader may get either edition at the same URL.
 */
export function toCopyKey(url: Pick<URL, "pathname" | "search">, isLight: boolean) {
  const { pathname, search } = url;
  const parameters = [...new URLSearchParams(search)].filter(
    ([name, value]) => value !== "" && !ignoredParameter.test(name),
  );
  if (isLight) parameters.push(["edition", "light"]);
  const query = new URLSearchParams(parameters);
  query.sort();
  const key = parameters.length === 0 ? pathname : `${pathname}?${query}`;
  return key.length > maxPathLength ? null : key;
}

/** Returns the keys of the copies that can be shown for a URL, the best one first. */
export function findCopyKeys(url: URL, savesData: boolean): string[] {
  const edition = url.searchParams.get("edition");
  const wantsLight = edition === null ? savesData : edition === "light";
  return [toCopyKey(url, wantsLight), toCopyKey(url, !wantsLight)].filter((key) => key !== null);
}
