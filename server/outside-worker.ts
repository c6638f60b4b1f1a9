// The entry of a worker thread: see server/outside-work.ts.
import { setPriority } from "node:os";
import { outsideTasks } from "./outside-tasks.ts";
import { answerJobs } from "./worker-tasks.ts";

// Readers come first where there are few processors. Only Linux has a priority for each thread; elsewhere this would slow
// down the whole server.
if (process.platform === "linux") setPriority(5);
answerJobs(outsideTasks);
