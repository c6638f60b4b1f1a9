import { savesData } from "../../lib/device/saves-data.ts";
import type { WorkerMessage, WorkerReply } from "./page-copy.ts";
import { hasWorker, workerState } from "./worker-state.ts";

/** The worker downloads pages and their images. On a slow connection that takes a while. */
const replyTimeoutMs = 30_000;

let registering: Promise<ServiceWorkerRegistration | null> | undefined;

/**
 * Tells the service worker which page the reader opened, so that it can store the page. If the
 * reader deletes everything, the worker stays deleted until the next visit.
 */
export async function reportVisit(path: string, saved: string[]): Promise<void> {
  if (workerState.isDeleted) return;
  // The first installation downloads scripts that this page does not need.
  if (!registering && savesData() && !hasWorker()) return;
  registering ??= register();
  const registration = await registering;
  if (!registration) return;
  workerState.registration = registration;
  await sendToWorker({ visited: path, saved, savesData: savesData() });
}

/**
 * Makes the stored pages match the list of saved ones, so that the reader can open these without a
 * connection. Returns null if there is no worker, or it needs longer.
 */
export async function storeSaved(saved: string[]): Promise<WorkerReply | null> {
  if (saved.length > 0) await registerWorker();
  return sendToWorker({ visited: null, saved, savesData: savesData() });
}

function register(): Promise<ServiceWorkerRegistration | null> {
  let isControlled = hasWorker();
  navigator.serviceWorker?.addEventListener("controllerchange", () => {
    // The first worker takes control of a page that has none. Any other one is a new version.
    if (isControlled) workerState.isReplaced = true;
    isControlled = true;
  });
  return registerWorker();
}

/**
 * Registers the service worker and waits until it works. Returns null if the browser has none or
 * blocks storage, and during development, because Vite's server has no worker.
 */
async function registerWorker(): Promise<ServiceWorkerRegistration | null> {
  if (import.meta.env.DEV) return null;
  try {
    const registration = await navigator.serviceWorker.register("/sw.js", {
      updateViaCache: "none",
    });
    // The browser never says that an installation has failed.
    return registration.active
      ? registration
      : await Promise.race([navigator.serviceWorker.ready, waitForTimeout()]);
  } catch {
    return null;
  }
}

async function sendToWorker(message: WorkerMessage): Promise<WorkerReply | null> {
  try {
    const registration = await navigator.serviceWorker.getRegistration();
    const worker = registration?.active;
    if (!worker) return null;
    const { port1, port2 } = new MessageChannel();
    const reply = new Promise<WorkerReply>((resolve) => {
      port1.onmessage = ({ data }) => {
        port1.close();
        resolve(data);
      };
    });
    worker.postMessage(message, [port2]);
    return await Promise.race([reply, waitForTimeout()]);
  } catch {
    return null;
  }
}

const waitForTimeout = () =>
  new Promise<null>((resolve) => setTimeout(resolve, replyTimeoutMs, null));
