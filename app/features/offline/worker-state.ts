/** The service worker's registration, as soon as this page has one. */
export const workerState: { registration: ServiceWorkerRegistration | null } = {
  registration: null,
};

/** Whether a new version of the site takes over when the reader opens the next page. */
export const isUpdateWaiting = (): boolean => Boolean(workerState.registration?.waiting);
