import type { RunInWorker } from "../../app/platform/worker-task.ts";
import { workerTasks } from "../../server/workers/task-list.ts";

/**
 * Runs a task in the current thread, for tests that check what a task returns, not where it runs.
 */
export const runInThisThread: RunInWorker = async (task, input) => {
  const run = await workerTasks[task.name]?.();
  if (!run) throw new Error(`there is no task ${task.name}`);
  // The declaration of a task states the types of its input and output.
  return { kind: "done", value: (await run(input)) as never };
};
