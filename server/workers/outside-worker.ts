// The entry of a worker thread: see server/workers/outside-work.ts.
import { lowerPriority } from "../../db/pglite/low-priority.ts";
import { outsideTasks } from "./outside-tasks.ts";
import { answerJobs } from "./worker-tasks.ts";

if (process.platform === "linux") lowerPriority();
answerJobs(outsideTasks);
