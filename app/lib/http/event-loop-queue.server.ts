import { setImmediate as nextTurn } from "node:timers/promises";

/**
 * Returns a function that waits for a free turn of the event loop. Requests with heavy work take
 * separate turns, so that requests without such work, such as for cached pages, are served in
 * between.
 */
export function createEventLoopQueue(): () => Promise<void> {
  let last: Promise<void> = Promise.resolve();
  return () => {
    last = last.then(() => nextTurn());
    return last;
  };
}
