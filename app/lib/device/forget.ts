/** All tabs and the service worker listen here, so that none of them stores anything again. */
export const deletionChannelName = "forget";
/** Tabs also send this to the service worker, which replies when it stores nothing anymore. */
export const deletionMessage = "delete everything";

/** A service worker of an older build does not reply. */
const replyTimeoutMs = 3_000;

/**
 * Whether this is a text or photo of an editor that the server does not have yet. It is not
 * deleted: the desk offers it until the editor sends or discards it.
 */
const isUnsent = (name: string) => name.startsWith("desk");

/**
 * Deletes everything that this site has stored on the device for a reader. A browser that blocks
 * one kind of storage has nothing stored there, so a failure of one step does not stop the others.
 * Returns whether a text of an editor remains.
 */
export async function forgetEverything(): Promise<boolean> {
  const channel = new BroadcastChannel(deletionChannelName);
  channel.postMessage(deletionMessage);
  channel.close();
  const [texts] = await Promise.allSettled([
    deleteTabStorage(),
    deleteCookies(),
    // The worker first, because it would fill its caches again.
    deleteServiceWorkers().then(deleteCaches),
    deleteDatabases(),
    deleteFiles(),
  ]);
  // Browsers report a change of the storage only to the other tabs.
  dispatchEvent(new StorageEvent("storage"));
  return texts.status === "fulfilled" && texts.value;
}

async function deleteTabStorage(): Promise<boolean> {
  // A browser may block one of these storages, and the others are still cleared.
  await (async () => sessionStorage.clear())().catch(() => {});
  const keys = Object.keys(localStorage);
  for (const key of keys) if (!isUnsent(key)) localStorage.removeItem(key);
  return keys.some(isUnsent);
}

/** We set no cookies. A proxy in front of the site might. */
async function deleteCookies(): Promise<void> {
  for (const cookie of document.cookie.split(";")) {
    const name = cookie.split("=")[0]?.trim();
    // biome-ignore lint/suspicious/noDocumentCookie: not all browsers have the Cookie Store API.
    if (name) document.cookie = `${name}=; path=/; max-age=0`;
  }
}

async function deleteServiceWorkers(): Promise<void> {
  const registrations = (await navigator.serviceWorker?.getRegistrations()) ?? [];
  await Promise.allSettled(
    registrations.map(async (registration) => {
      const { installing, waiting, active } = registration;
      await Promise.all([installing, waiting, active].map((worker) => worker && stop(worker)));
      await registration.unregister();
    }),
  );
}

/** Waits until a service worker has stopped its downloads and stores nothing anymore. */
function stop(worker: ServiceWorker): Promise<void> {
  const { port1, port2 } = new MessageChannel();
  return new Promise<void>((resolve) => {
    port1.onmessage = () => resolve();
    // A worker that cannot finish its installation may end before it replies.
    worker.addEventListener("statechange", () => worker.state === "redundant" && resolve());
    setTimeout(resolve, replyTimeoutMs);
    worker.postMessage(deletionMessage, [port2]);
  }).finally(() => port1.close());
}

async function deleteCaches(): Promise<void> {
  const names = (await globalThis.caches?.keys()) ?? [];
  await Promise.allSettled(names.map((name) => caches.delete(name)));
}

async function deleteDatabases(): Promise<void> {
  const databases = (await indexedDB.databases?.()) ?? [];
  await Promise.allSettled(
    databases.map(({ name }) => name && !isUnsent(name) && deleteDatabase(name)),
  );
}

function deleteDatabase(name: string): Promise<void> {
  return new Promise((resolve) => {
    const request = indexedDB.deleteDatabase(name);
    // If another tab still uses the database, the browser deletes it when that tab closes it.
    for (const event of ["success", "error", "blocked"])
      request.addEventListener(event, () => resolve());
  });
}

async function deleteFiles(): Promise<void> {
  const folder = await navigator.storage.getDirectory();
  for await (const name of folder.keys()) await folder.removeEntry(name, { recursive: true });
}
