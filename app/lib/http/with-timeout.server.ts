import { setTimeout as pause } from "node:timers/promises";
import type { Clock } from "../dates.ts";
import { errorFields, type Log } from "../log.ts";

/** Tests wait longer for the parts of a page, because they run on busy machines. */
const patience = Number(process.env.PAGE_PATIENCE) || 1;

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
  const timedOut = pause(timeoutMs * patience, null, { signal: timer.signal }).then(
    () => {
      log.warn(`${part}.not_ready`, { timeoutMs });
      return null;
    },
    () => null,
  );
  return Promise.race([finished, timedOut]).finally(() => timer.abort());
}

/** How soon a page without one of its parts is rendered again. */
export const retryAfterMs = 10_000;

/**
 * Returns the result of reading a part of a page, or null if it fails or takes too long. The page
 * is then rendered again soon.
 */
export async function readInTime<T>(
  { log, clock, expireAt }: { log: Log; clock: Clock; expireAt(instant: Date): void },
  part: string,
  reading: Promise<T>,
  { timeoutMs = 1_000, delayMs = retryAfterMs }: { timeoutMs?: number; delayMs?: number } = {},
): Promise<{ value: T } | null> {
  const result = await withTimeout(log, part, timeoutMs, reading);
  if (!result) expireAt(new Date(clock().getTime() + delayMs));
  return result;
}
