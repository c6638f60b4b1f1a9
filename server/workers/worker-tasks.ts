import { parentPort } from "node:worker_threads";
import { postTask } from "../../app/features/blog/tasks.server.ts";
import { calendarTask, legistarTask } from "../../app/features/events/import/tasks.server.ts";
import { feedTask } from "../../app/features/feeds/tasks.server.ts";
import { officialAlertsTask } from "../../app/features/official-alerts/tasks.server.ts";
import { textsTask } from "../../app/features/search/tasks.server.ts";
import { drawCardTask, outlineTask } from "../../app/features/share-images/tasks.server.ts";
import { storyTextTask } from "../../app/features/stories/desk/tasks.server.ts";
import { weatherTask } from "../../app/features/weather/tasks.server.ts";
import { pageTask, postCheckTask } from "./page-text-tasks.ts";

/**
 * The tasks of a worker, by name. Each task is loaded when it is first needed, so that a worker
 * uses little memory.
 */
// biome-ignore lint/suspicious/noExplicitAny: `unknown` would refuse every task that names its input
export type Tasks = Record<string, () => Promise<(input: any) => unknown>>;

/**
 * All tasks that worker threads can run. Workers load this list instead of the features, to use
 * less memory.
 */
export const workerTasks: Tasks = Object.fromEntries(
  [
    feedTask,
    calendarTask,
    legistarTask,
    postTask,
    pageTask,
    postCheckTask,
    textsTask,
    drawCardTask,
    outlineTask,
    storyTextTask,
    weatherTask,
    officialAlertsTask,
  ].map(({ name, load }) => [name, load]),
);

/** One run of a task, with its input. */
export type TaskRun = { name: string; input: unknown };
export type WorkerMessage =
  | { kind: "started" }
  | { kind: "done"; value: unknown }
  | { kind: "threw"; error: Error };

/**
 * Runs the tasks of a queue (server/workers/worker-pool.ts), one at a time. The entry file of a
 * worker calls this function.
 */
export function runTasks(tasks: Tasks): void {
  const send = (message: WorkerMessage) => parentPort?.postMessage(message);
  parentPort?.on("message", async ({ name, input }: TaskRun) => {
    try {
      const task = await tasks[name]?.();
      if (!task) throw new Error(`There is no task called ${name}.`);
      send({ kind: "started" });
      send({ kind: "done", value: await task(input) });
    } catch (error) {
      send({ kind: "threw", error: error instanceof Error ? error : new Error(String(error)) });
    }
  });
}
