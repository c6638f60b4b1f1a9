import { deletionChannelName, deletionMessage } from "../../../lib/device/forget.ts";
import type { WorkerMessage } from "../page-copy.ts";
import { createResponder } from "./respond.ts";
import type { WorkerScope } from "./scope.ts";
import { openStore } from "./store.ts";

/** The entry of the service worker, which lets readers open pages without a connection. */
// TypeScript's library for pages declares `self` as a window.
const scope = self as unknown as WorkerScope;
/** What the active worker tells the next version of itself when the reader opens a page. */
const takeOverMessage = "take over";
let store = openStore(scope);
let respond = createResponder(scope, store);
/** The tabs that were open when the reader deleted everything. Nothing is stored for them. */
let forgottenClients = Promise.resolve(new Set<string>());

scope.addEventListener("install", (event) => event.waitUntil(store.install()));

scope.addEventListener("activate", (event) =>
  event.waitUntil(
    Promise.all([
      scope.clients.claim(),
      scope.registration.navigationPreload?.enable(),
      store.deleteOldBuilds(),
    ]),
  ),
);

scope.addEventListener("fetch", (event) => {
  // The next version of the worker takes over when the reader opens a page, not in the middle of
  // reading.
  if (event.request.mode === "navigate") scope.registration.waiting?.postMessage(takeOverMessage);
  respond(event);
});

scope.addEventListener("message", (event) => {
  const reply = (work: Promise<unknown>) =>
    event.waitUntil(work.then((result) => event.ports[0]?.postMessage(result)));
  if (event.data === takeOverMessage) event.waitUntil(scope.skipWaiting());
  else if (event.data === deletionMessage) reply(deleteEverything());
  else reply(handleMessage(event.data, event.source?.id ?? ""));
});

async function deleteEverything() {
  forgottenClients = scope.clients
    .matchAll({ type: "window", includeUncontrolled: true })
    .then((clients) => new Set(clients.map(({ id }) => id)));
  await store.close();
  // Pages that are still being loaded use the closed store. Only the next visit uses this one.
  store = openStore(scope);
  respond = createResponder(scope, store);
}

async function handleMessage(message: WorkerMessage, clientId: string) {
  // If the reader deletes everything meanwhile, the rest of this must not use the next store.
  const current = store;
  // A tab may have sent this message before it was forgotten.
  if ((await forgottenClients).has(clientId)) return null;
  if (!(await current.ensureInstalled())) return null;
  return current.refresh(message);
}

// A tab with scripts of an older build does not send the message to the worker.
new BroadcastChannel(deletionChannelName).onmessage = deleteEverything;
