import { savesData } from "../../lib/device/saves-data.ts";
import { registerWorker, sendToWorker } from "./offline-copies.ts";
import { hasWorker, workerState } from "./worker-state.ts";

let registering: Promise<ServiceWorkerRegistration | null> | undefined;

/**
 * Tells the service worker which page the reader opened, so that it can store the page. If the
 * reader deletes everything, the worker stays deleted until the next visit.
 */
export async function reportVisit(path: string, saved: string[]): Promise<void> {
  if (workerState.isDeleted) return;
  // The first installation downloads scripts that this page does not need.
  if (!registering && savesData() && !hasWorker()) return;
  registering ??= start();
  const registration = await registering;
  if (!registration) return;
  workerState.registration = registration;
  await sendToWorker({ type: "visited", path, savesData: savesData(), saved });
}

function start(): Promise<ServiceWorkerRegistration | null> {
  let isControlled = hasWorker();
  navigator.serviceWorker?.addEventListener("controllerchange", () => {
    // The first worker takes control of a page that has none. Any other one is a new version.
    if (isControlled) workerState.isReplaced = true;
    isControlled = true;
  });
  return registerWorker();
}
