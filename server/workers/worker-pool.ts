import type { RunInWorker, WorkerTask } from "../../app/platform/worker-task.ts";
import { openWorkerQueue } from "./worker-queue.ts";

type WorkerPool = { run: RunInWorker; close(): Promise<void> };

/** The most memory that a task may use. A legitimate calendar of 24 MB needs about half of it. */
const memoryMb = 256;
/** How many tasks may wait in each queue. */
const maxWaiting = 100;

/**
 * Opens worker threads that parse external documents, so that no document can block or end the
 * process. There are three queues, so that a reader who opens a post never waits for an imported
 * calendar or for share images, nor a share image for long posts. More queues would take CPU time
 * from readers for work that no reader waits for. `file` is the entry file of the workers, and
 * `maxDeadlineMs` shortens the deadlines of all tasks.
 */
export function openWorkerPool(
  file = "server/workers/pool-worker.ts",
  maxDeadlineMs = Number.POSITIVE_INFINITY,
): WorkerPool {
  const openQueue = (idleMs: number) => openWorkerQueue({ file, memoryMb, idleMs, maxWaiting });
  // Readers wait for posts, so the worker for posts keeps running longer.
  const queues = {
    documents: openQueue(10_000),
    posts: openQueue(60_000),
    images: openQueue(10_000),
  };
  return {
    async run<Input, Output>(
      task: WorkerTask<Input, Output>,
      input: Input,
      transfer: ArrayBuffer[] = [],
    ) {
      const deadlineMs = Math.min(task.deadlineMs, maxDeadlineMs);
      const outcome = await queues[task.queue].run(task.name, input, { deadlineMs, transfer });
      // The task declares the type of its result; messages between threads are untyped.
      if (outcome.kind === "done") return { kind: "done", value: outcome.value as Output };
      const limit = {
        "too-slow": `${deadlineMs / 1000} seconds`,
        "too-big": `${memoryMb} MB of memory`,
      };
      return { kind: outcome.kind, detail: `more than ${limit[outcome.kind]}` };
    },
    async close() {
      await Promise.all(Object.values(queues).map((queue) => queue.close()));
    },
  };
}
