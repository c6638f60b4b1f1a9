// The entry of a worker thread: see server/outside-work.ts.
import { outsideTasks } from "./outside-tasks.ts";
import { answerJobs } from "./worker-tasks.ts";

answerJobs(outsideTasks);
