import { setTimeout as pause } from "node:timers/promises";

/** Work that is requested often, but runs at most once at a time. */
export type Coalesced = { request(): void; stop(): Promise<void> };

/**
 * Runs `work` after each request, one run at a time. Requests often come together, so a run waits
 * `delayMs` for further ones. A request during a run starts another run after it. `work` must
 * handle its own errors, and may end early once `stop` has been called, which waits for it.
 */
export function coalesce(delayMs: number, work: (signal: AbortSignal) => Promise<void>): Coalesced {
  let isDue = false;
  let running: Promise<void> | null = null;
  const stopping = new AbortController();
  const { signal } = stopping;

  const run = async () => {
    while (isDue && !signal.aborted) {
      await pause(delayMs, undefined, { signal }).catch(() => {});
      isDue = false;
      if (!signal.aborted) await work(signal);
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
