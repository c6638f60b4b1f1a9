export const workerState: {
  registration: ServiceWorkerRegistration | null;
  /** Whether another worker has taken over since the page was opened. */
  isReplaced: boolean;
  /** Whether the reader has deleted the worker and everything else on the device. */
  isDeleted: boolean;
} = { registration: null, isReplaced: false, isDeleted: false };

/** Whether a service worker responds to the requests of this page. Some browsers throw. */
export function hasWorker(): boolean {
  try {
    return Boolean(navigator.serviceWorker?.controller);
  } catch {
    return false;
  }
}

/** Whether the next page that the reader opens should be one of a new version of the site. */
export const isUpdateReady = (): boolean =>
  workerState.isReplaced || Boolean(workerState.registration?.waiting);
