import type { RunInWorker } from "../../app/platform/worker-task.ts";
import { workerTasks } from "../../server/workers/task-list.ts";

/** Runs a task in this thread: for tests that are about what is read and not about where. */
export const runInThisThread: RunInWorker = async (task, input) => {
  const run = await workerTasks[task.name]?.();
  if (!run) throw new Error(`no task is called ${task.name}`);
  // Input and output of a task are those of its declaration.
  return { kind: "done", value: (await run(input)) as never };
};
