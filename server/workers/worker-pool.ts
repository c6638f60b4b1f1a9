import type { RunInWorker, WorkerTask } from "../../app/platform/worker-task.ts";
import { openWorkerQueue } from "./worker-queue.ts";

type WorkerPool = { run: RunInWorker; close(): Promise<void> };

/** An honest calendar of 24 MB needs about half of it. */
const memoryMb = 256;
/** Readers wait for the posts, so their worker stays a little longer. */
const idleMs = { documents: 10_000, posts: 60_000 };
const maxWaiting = 100;

/**
 * Reads what others wrote, in worker threads: no document can hold up or end the process. Two
 * lanes, so that a reader who opens a post never waits for somebody's calendar. Not more: what
 * nobody waits for must not take the cores from readers. `file` is the entry of the workers,
 * `maxDeadlineMs` shortens the deadlines of all tasks.
 */
export function openWorkerPool(
  file = "server/workers/pool-worker.ts",
  maxDeadlineMs = Number.POSITIVE_INFINITY,
): WorkerPool {
  const open = (lane: keyof typeof idleMs) =>
    openWorkerQueue({ file, memoryMb, idleMs: idleMs[lane], maxWaiting });
  const lanes = { documents: open("documents"), posts: open("posts") };
  return {
    async run<Input, Output>(
      task: WorkerTask<Input, Output>,
      input: Input,
      transfer: ArrayBuffer[] = [],
    ) {
      const deadlineMs = Math.min(task.deadlineMs, maxDeadlineMs);
      const outcome = await lanes[task.queue].run(task.name, input, { deadlineMs, transfer });
      switch (outcome.kind) {
        case "done":
          // The declaration of the task says what comes out of it; the thread in between cannot.
          return { kind: "done", value: outcome.value as Output };
        case "too-slow":
          return { kind: "too-slow", detail: `more than ${deadlineMs / 1000} seconds` };
        case "too-big":
          return { kind: "too-big", detail: `more than ${memoryMb} MB of memory` };
      }
    },
    async close() {
      await Promise.all([lanes.documents.close(), lanes.posts.close()]);
    },
  };
}
