import { setPriority } from "node:os";

/**
 * Lowers the priority of the caller, so that requests get about three times its share of a busy
 * processor. At the lowest priority its work might never finish. On Linux this applies to the
 * calling thread only. On other systems it applies to the whole process, so threads must not call
 * it there.
 */
export function lowerPriority(): void {
  try {
    setPriority(5);
  } catch {
    // A sandbox may forbid it. Only speed depends on it.
  }
}
