import { setPriority } from "node:os";

/**
 * Requests then get about three times the share of the calling thread. At the lowest priority its work
 * might never finish. On other systems than Linux the priority applies to the entire process.
 */
export function lowerPriority(): void {
  try {
    setPriority(5);
  } catch {
    // A sandbox may forbid a change of priority. Only speed depends on it.
  }
}
