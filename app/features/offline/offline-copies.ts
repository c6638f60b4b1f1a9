import type { WorkerMessage } from "./messages.ts";

/** The worker downloads a page and its images. On a slow connection that takes a while. */
const responseTimeoutMs = 30_000;

/**
 * Stores a page of this site, such as "/news/marble-steps", with its images on the device, so that
 * the reader can open it without a connection. Returns false if the browser cannot store it.
 */
export const storeOfflineCopy = (path: string): Promise<boolean> =>
  sendToWorker({ type: "save", path });

/** Deletes a page that was stored with `storeOfflineCopy`, and its images. */
export async function deleteOfflineCopy(path: string): Promise<void> {
  await sendToWorker({ type: "remove", path });
}

/**
 * Sends a message to the service worker. Returns true if the worker has done what the message
 * asks, and false if it has not or if there is no worker, for example because the browser blocks
 * storage.
 */
export async function sendToWorker(message: WorkerMessage): Promise<boolean> {
  try {
    const registration = await navigator.serviceWorker.getRegistration();
    const worker = registration?.active;
    if (!worker) return false;
    const { port1, port2 } = new MessageChannel();
    return await new Promise((resolve) => {
      port1.onmessage = ({ data }) => resolve(data === true);
      setTimeout(() => resolve(false), responseTimeoutMs);
      worker.postMessage(message, [port2]);
    });
  } catch {
    return false;
  }
}
