import { setTimeout as pause } from "node:timers/promises";
import { errorFields, type Log } from "../log.ts";

/**
 * The result of the work, or null if it fails or takes too long. The log names the part that is
 * missing.
 */
export async function withTimeout<T>(
  log: Log,
  part: string,
  waitMs: number,
  work: Promise<T>,
): Promise<{ value: T } | null> {
  const late = new AbortController();
  const value = work.then(
    (done) => ({ value: done }),
    (error) => {
      log.warn(`${part}.not_ready`, errorFields(error));
      return null;
    },
  );
  const tooLate = pause(waitMs, null, { signal: late.signal }).then(
    () => {
      log.warn(`${part}.not_ready`, { waitedMs: waitMs });
      return null;
    },
    () => null,
  );
  return Promise.race([value, tooLate]).finally(() => late.abort());
}
