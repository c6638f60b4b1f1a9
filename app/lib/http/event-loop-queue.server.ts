import { setImmediate as nextTurn } from "node:timers/promises";

/**
 * Lets heavy work of many requests run one after the other, each in a turn of the event loop of its
 * own: whatever needs no such work, such as a page from memory, is answered in between.
 */
export function createEventLoopQueue(): () => Promise<void> {
  let last: Promise<void> = Promise.resolve();
  return () => {
    last = last.then(() => nextTurn());
    return last;
  };
}
