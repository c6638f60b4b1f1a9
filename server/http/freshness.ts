/** How long answers may be shown, here and in caches between us and readers. */

/** After this time a page is rendered again; until that is done, readers get the one before. */
export const pageFreshMs = 60_000;
/**
 * How long a page may be shown that cannot be rendered again, for example while the database is
 * away.
 */
export const maxStaleMs = 24 * 60 * 60 * 1000;

/** Files of the build: their names change with their content. */
export const buildFileCacheControl = "public, max-age=31536000, immutable";
/**
 * An image's address has its version, so it could be kept for ever; but a removed image has to
 * leave caches too.
 */
export const imageCacheControl = "public, max-age=86400, immutable";
/** An editor may replace films and documents, so browsers ask for them again now and then. */
export const replaceableFileCacheControl = "public, max-age=600, stale-while-revalidate=86400";
export const noStore = "no-store";

/** For caches between us and readers: a page that stays true for this long. */
export function pageCacheControl(trueForSeconds: number): string {
  const [freshSeconds, staleSeconds] = [pageFreshMs / 1000, maxStaleMs / 1000];
  const fresh = Math.max(0, Math.min(freshSeconds, trueForSeconds));
  const stale = Math.max(0, Math.min(staleSeconds, trueForSeconds - fresh));
  return `public, max-age=0, s-maxage=${fresh}, stale-while-revalidate=${stale}, stale-if-error=${staleSeconds}`;
}
