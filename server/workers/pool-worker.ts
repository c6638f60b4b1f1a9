// The entry file of a worker thread: see server/workers/worker-pool.ts.
import { lowerPriority } from "../../db/pglite/low-priority.ts";
import { runTasks, workerTasks } from "./worker-tasks.ts";

if (process.platform === "linux") lowerPriority();
runTasks(workerTasks);
