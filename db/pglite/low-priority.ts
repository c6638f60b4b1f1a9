import { setPriority } from "node:os";

/**
 * Lowers the priority of the calling thread, so that requests get about three times its share of a
 * busy processor. At the lowest priority the thread's work might never finish. On systems other
 * than Linux the priority applies to the entire process, so do not call this function in a thread
 * there.
 */
export function lowerPriority(): void {
  try {
    setPriority(5);
  } catch {
    // A sandbox may forbid a change of priority. Only speed depends on it.
  }
}
