import { deletionChannelName, deletionMessage } from "../../../lib/device/forget.ts";
import { takeOverMessage, type WorkerMessage } from "../messages.ts";
import { createResponder } from "./respond.ts";
import type { WorkerScope } from "./scope.ts";
import { openStore } from "./store.ts";

/** The entry of the service worker, which lets readers open pages without a connection. */
// TypeScript's library for pages declares `self` as a window.
const scope = self as unknown as WorkerScope;
const store = openStore(scope);
const respond = createResponder(scope, store);

scope.addEventListener("install", (event) => event.waitUntil(store.install()));

scope.addEventListener("activate", (event) =>
  event.waitUntil(
    Promise.all([
      scope.clients.claim(),
      scope.registration.navigationPreload?.enable(),
      store.deleteUnused(),
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
  if (event.data === takeOverMessage) event.waitUntil(scope.skipWaiting());
  else if (event.data === deletionMessage)
    event.waitUntil(store.close().then(() => event.ports[0]?.postMessage(null)));
  else event.waitUntil(handleMessage(event.data, event.source?.id ?? "", event.ports[0]));
});

async function handleMessage(message: WorkerMessage, clientId: string, reply?: MessagePort) {
  switch (message.type) {
    case "visited":
      await store.rememberClient(clientId, message.build);
      return reply?.postMessage(
        await store.refresh(message.path, message.saved, message.savesData),
      );
    case "save":
      return reply?.postMessage(await store.save(message.path, message.savesData));
    case "remove":
      return reply?.postMessage(await store.removeSaved(message.path));
  }
}

// A tab with scripts of an older build does not send the message to the worker.
new BroadcastChannel(deletionChannelName).onmessage = () => store.close();
