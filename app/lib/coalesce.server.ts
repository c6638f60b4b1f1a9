import { setTimeout as pause } from "node:timers/promises";

/** Work that is requested often, but runs at most once at a time. */
export type Coalesced = { request(): void; stop(): Promise<void> };

/**
 * Runs `work` after each request, one run at a time. Requests often come together, so a run waits
 * `delayMs` for further ones. A request during a run starts another run after it. `work` must
 * handle its own errors.
 */
export function coalesce(delayMs: number, work: () => Promise<void>): Coalesced {
  let isDue = false;
  let running: Promise<void> | null = null;
  const stopping = new AbortController();

  const run = async () => {
    while (isDue && !stopping.signal.aborted) {
      await pause(delayMs, undefined, { signal: stopping.signal }).catch(() => {});
      isDue = false;
      if (!stopping.signal.aborted) await work();
    }
    running = null;
  };
  return {
    request() {
      isDue = true;
      running ??= run();
    },
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
