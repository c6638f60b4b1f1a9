import type { RunOutside } from "../../app/platform/outside.ts";
import { outsideTasks } from "../../server/workers/outside-tasks.ts";

/** Runs a task in this thread: for tests that are about what is read and not about where. */
export const outsideHere: RunOutside = async (task, input) => {
  const run = await outsideTasks[task.name]?.();
  if (!run) throw new Error(`no task is called ${task.name}`);
  // Input and output of a task are those of its declaration.
  return { kind: "done", value: (await run(input)) as never };
};
