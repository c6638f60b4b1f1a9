/** How long responses may be cached, by us and by caches between us and readers. */

/** After this time a page is rendered again; until that is done, readers get the stale page. */
export const pageFreshMs = 60_000;
/**
 * How long a page may be shown if it cannot be rendered again, for example while the database is
 * unavailable.
 */
export const maxStaleMs = 24 * 60 * 60 * 1000;

/** The names of build files change with their content, so caches never have to revalidate. */
export const buildFileCacheControl = "public, max-age=31536000, immutable";
/**
 * An image's URL contains its version, so it could be cached forever; but an image that an editor
 * removes has to disappear from caches too.
 */
export const imageCacheControl = "public, max-age=86400, immutable";
/** An editor may replace videos and documents, so browsers revalidate them now and then. */
export const replaceableFileCacheControl = "public, max-age=600, stale-while-revalidate=86400";
export const noStore = "no-store";

/** Returns the Cache-Control header of a page whose content stays correct for this long. */
export function pageCacheControl(validSeconds: number): string {
  const [freshSeconds, staleSeconds] = [pageFreshMs / 1000, maxStaleMs / 1000];
  const fresh = Math.max(0, Math.min(freshSeconds, validSeconds));
  const stale = Math.max(0, Math.min(staleSeconds, validSeconds - fresh));
  return `public, max-age=0, s-maxage=${fresh}, stale-while-revalidate=${stale}, stale-if-error=${staleSeconds}`;
}
