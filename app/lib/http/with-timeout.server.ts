import { setTimeout as pause } from "node:timers/promises";
import { errorFields, type Log } from "../log.ts";

/**
 * Returns the result of the work, or null if it fails or takes too long. `part` names the part of
 * the page that is then missing, for the log.
 */
export async function withTimeout<T>(
  log: Log,
  part: string,
  timeoutMs: number,
  work: Promise<T>,
): Promise<{ value: T } | null> {
  const timer = new AbortController();
  const finished = work.then(
    (value) => ({ value }),
    (error) => {
      log.warn(`${part}.not_ready`, errorFields(error));
      return null;
    },
  );
  const timedOut = pause(timeoutMs, null, { signal: timer.signal }).then(
    () => {
      log.warn(`${part}.not_ready`, { timeoutMs });
      return null;
    },
    () => null,
  );
  return Promise.race([finished, timedOut]).finally(() => timer.abort());
}
