import { savesData } from "../../lib/device/saves-data.ts";
import type { CopyResult, WorkerMessage } from "./page-copy.ts";

/** The worker downloads a page and its images. On a slow connection that takes a while. */
const replyTimeoutMs = 30_000;

/**
 * Stores a page of this site with its images, so that the reader can open it without a connection.
 */
export async function storeOfflineCopy(path: string): Promise<CopyResult> {
  const worker = await registerWorker();
  const reply = worker && (await sendToWorker({ type: "save", path, savesData: savesData() }));
  return reply === "stored" || reply === "no space" ? reply : "unavailable";
}

/** Deletes the copy of a page that is no longer saved, and its images. A visited page stays. */
export async function deleteOfflineCopy(path: string): Promise<void> {
  await sendToWorker({ type: "remove", path });
}

/**
 * Registers the service worker and waits until it works. Returns null if the browser has none or
 * blocks storage, and during development, because Vite's server has no worker.
 */
export async function registerWorker(): Promise<ServiceWorkerRegistration | null> {
  if (import.meta.env.DEV) return null;
  try {
    const registration = await navigator.serviceWorker.register("/sw.js", {
      updateViaCache: "none",
    });
    return registration.active ? registration : await waitForWorker();
  } catch {
    return null;
  }
}

/** The browser never says that an installation has failed, so there is a timeout. */
const waitForWorker = (): Promise<ServiceWorkerRegistration | null> =>
  Promise.race([
    navigator.serviceWorker.ready,
    new Promise<null>((resolve) => setTimeout(resolve, replyTimeoutMs, null)),
  ]);

/** Sends a message to the service worker and returns its reply, or null if it does not reply. */
export async function sendToWorker(message: WorkerMessage): Promise<unknown> {
  try {
    const registration = await navigator.serviceWorker.getRegistration();
    const worker = registration?.active;
    if (!worker) return null;
    const { port1, port2 } = new MessageChannel();
    return await new Promise((resolve) => {
      port1.onmessage = ({ data }) => {
        port1.close();
        resolve(data);
      };
      setTimeout(resolve, replyTimeoutMs, null);
      worker.postMessage(message, [port2]);
    });
  } catch {
    return null;
  }
}
