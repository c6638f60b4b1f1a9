/** What a page tells the service worker. */
export type WorkerMessage =
  /** The reader has saved a page, or removed it from the saved items. */
  { type: "save" | "remove"; path: string };
