import type { RunInWorker } from "../../app/platform/worker-task.ts";
import { workerTasks } from "../../server/workers/worker-tasks.ts";

/**
 * Runs a task in the current thread, for tests that check what a task returns, not where it runs.
 */
export const runInThisThread: RunInWorker = async (task, input) => {
  const run = await workerTasks[task.name]?.();
  if (!run) throw new Error(`there is no task ${task.name}`);
  // The declaration of a task states the types of its input and output.
  return { kind: "done", value: (await run(input)) as never };
};

/** Part of a document that `runUntilTooSlow` does not finish reading. */
export const endlessText = "no end is in sight";

/** Runs a task in the current thread, but takes too long for a document with `endlessText`. */
export const runUntilTooSlow: RunInWorker = async (task, input, transfer) =>
  JSON.stringify(input).includes(endlessText)
    ? { kind: "too-slow", detail: `more than ${task.deadlineMs / 1000} seconds` }
    : runInThisThread(task, input, transfer);
