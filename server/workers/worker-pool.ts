import type { RunInWorker, WorkerTask } from "../../app/platform/worker-task.ts";
import { openWorkerQueue } from "./worker-queue.ts";

type WorkerPool = { run: RunInWorker; close(): Promise<void> };

/** The most memory that a job may use. A legitimate calendar of 24 MB needs about half of it. */
const memoryMb = 256;
/**
 * How long an idle worker keeps running. Readers wait for posts, so the worker for posts keeps
 * running longer.
 */
const idleMs = { documents: 10_000, posts: 60_000, images: 10_000 };
/** How many jobs may wait in each queue. */
const maxWaiting = 100;

/**
 * Opens worker threads that parse external documents, so that no document can block or end the
 * process. There are three queues, so that a reader who opens a post never waits for an imported
 * calendar or for share images, nor a share image for long posts. More queues would take CPU time from readers for work that no reader waits for. `file`
 * is the entry file of the workers, and `maxDeadlineMs` shortens the deadlines of all tasks.
 */
export function openWorkerPool(
  file = "server/workers/pool-worker.ts",
  maxDeadlineMs = Number.POSITIVE_INFINITY,
): WorkerPool {
  const openQueue = (queue: keyof typeof idleMs) =>
    openWorkerQueue({ file, memoryMb, idleMs: idleMs[queue], maxWaiting });
  const queues = {
    documents: openQueue("documents"),
    posts: openQueue("posts"),
    images: openQueue("images"),
  };
  return {
    async run<Input, Output>(
      task: WorkerTask<Input, Output>,
      input: Input,
      transfer: ArrayBuffer[] = [],
    ) {
      const deadlineMs = Math.min(task.deadlineMs, maxDeadlineMs);
      const outcome = await queues[task.queue].run(task.name, input, { deadlineMs, transfer });
      switch (outcome.kind) {
        case "done":
          // The task declares the type of its result; messages between threads are untyped.
          return { kind: "done", value: outcome.value as Output };
        case "too-slow":
          return { kind: "too-slow", detail: `more than ${deadlineMs / 1000} seconds` };
        case "too-big":
          return { kind: "too-big", detail: `more than ${memoryMb} MB of memory` };
      }
    },
    async close() {
      await Promise.all(Object.values(queues).map((queue) => queue.close()));
    },
  };
}
