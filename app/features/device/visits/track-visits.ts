import { continueVisit, mergeVisits, newSince, storedVisits, type Visits } from "./visits.ts";

/** Reading the storage on every scroll event would be slow. */
const activityIntervalMs = 60 * 1000;

let visits: Visits | null = null;
let isStopped = false;

/** Follows the reader's activity in this tab. Returns a function that ends this. */
export function trackVisits(): () => void {
  const stop = new AbortController();
  const options = { signal: stop.signal, passive: true };
  for (const type of ["pointerdown", "keydown", "scroll"])
    addEventListener(type, () => noteActivity(activityIntervalMs), options);
  document.addEventListener(
    "visibilitychange",
    () => (document.visibilityState === "hidden" ? storeVisit() : noteActivity()),
    options,
  );
  addEventListener("pagehide", storeVisit, options);
  return () => stop.abort();
}

/** The reader opens a page. Marks change only now, even if another tab begins a new visit. */
export function arriveOnPage(): void {
  noteActivity();
  newSince.write(visits?.previousEnd ?? null);
}

function noteActivity(minIntervalMs = 0): void {
  const now = Date.now();
  // The last activity is in the future if the clock was set back.
  if (isStopped || (visits && Math.abs(now - visits.activeAt) < minIntervalMs)) return;
  visits = continueVisit(mergeVisits(visits, storedVisits.read(), now), now);
}

/** Only called when the reader leaves a page, so opening a single page stores nothing. */
export function storeVisit(): void {
  if (!isStopped && visits)
    storedVisits.write(mergeVisits(visits, storedVisits.read(), Date.now()));
}

/** The reader has deleted everything, so nothing is stored again until the next page load. */
export function stopTracking(): void {
  isStopped = true;
  newSince.write(null);
}
