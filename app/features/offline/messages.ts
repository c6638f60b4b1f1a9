/** What a page tells the service worker. */
export type WorkerMessage =
  | {
      type: "visited";
      path: string;
      /** The build of the page's scripts, which stay stored while the page is open. */
      build: string | null;
      savesData: boolean;
      /** The paths of all saved pages of this site. */
      saved: string[];
    }
  | { type: "save"; path: string; savesData: boolean }
  | { type: "remove"; path: string };

/** What the worker replies when a page should be saved. */
export type CopyResult = "stored" | "unavailable" | "no space";

/** What the active worker tells the next version of itself when the reader opens a page. */
export const takeOverMessage = "take over";
