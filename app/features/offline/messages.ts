/** What a page tells the service worker. */
export type WorkerMessage =
  | {
      type: "visited";
      path: string;
      savesData: boolean;
      /** The paths of all saved pages of this site. */
      saved: string[];
    }
  | { type: "save"; path: string; savesData: boolean }
  | { type: "remove"; path: string };

/** What the worker replies when a page should be saved. */
export type CopyResult = "stored" | "unavailable" | "no space";
