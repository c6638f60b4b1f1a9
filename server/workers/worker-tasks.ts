import { parentPort } from "node:worker_threads";

/**
 * The tasks of a worker, by name. Each task is loaded when it is first needed, so that a worker
 * uses little memory.
 */
// biome-ignore lint/suspicious/noExplicitAny: `unknown` would refuse every task that names its input
export type Tasks = Record<string, () => Promise<(input: any) => unknown>>;

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
