import { setImmediate as nextTurn } from "node:timers/promises";

/**
 * Spreads heavy work of many requests over separate turns of the event loop, so that requests
 * without such work, such as for cached pages, are served in between.
 */
export function createEventLoopQueue(): () => Promise<void> {
  let last: Promise<void> = Promise.resolve();
  return () => {
    last = last.then(() => nextTurn());
    return last;
  };
}
