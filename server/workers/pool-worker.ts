// The entry file of a worker thread: see server/workers/worker-pool.ts.
import { lowerPriority } from "../../db/pglite/low-priority.ts";
import { workerTasks } from "./task-list.ts";
import { runTasks } from "./worker-tasks.ts";

if (process.platform === "linux") lowerPriority();
runTasks(workerTasks);
