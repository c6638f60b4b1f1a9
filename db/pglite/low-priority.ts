import { setPriority } from "node:os";

/**
 * Gives readers about three times the share of a busy processor that the caller gets; at the lowest
 * priority its work might never end. On Linux this is for the calling thread only; elsewhere for
 * its whole process, which a thread must not do.
 */
export function lowerPriority(): void {
  try {
    setPriority(5);
  } catch {
    // A sandbox may forbid it. Nothing depends on it but speed.
  }
}
