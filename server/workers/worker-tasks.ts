import { parentPort } from "node:worker_threads";

/**
 * What a worker can do, by name. Each task is loaded when it is first asked for, so that a worker
 * stays small.
 */
// biome-ignore lint/suspicious/noExplicitAny: `unknown` would refuse every task that names its input
export type Tasks = Record<string, () => Promise<(input: any) => unknown>>;

export type TaskInput<Load extends Tasks[string]> = Parameters<Awaited<ReturnType<Load>>>[0];
export type TaskOutput<Load extends Tasks[string]> = Awaited<ReturnType<Awaited<ReturnType<Load>>>>;

export type Job = { name: string; input: unknown };
export type WorkerMessage =
  | { kind: "begun" }
  | { kind: "done"; value: unknown }
  | { kind: "threw"; error: Error };

/**
 * Answers the jobs of a lane (server/workers/worker-queue.ts), one at a time. Called by the entry
 * file of a worker.
 */
export function runJobs(tasks: Tasks): void {
  const answer = (message: WorkerMessage) => parentPort?.postMessage(message);
  parentPort?.on("message", async ({ name, input }: Job) => {
    try {
      const task = await tasks[name]?.();
      if (!task) throw new Error(`no task is called ${name}`);
      answer({ kind: "begun" });
      answer({ kind: "done", value: await task(input) });
    } catch (error) {
      answer({ kind: "threw", error: error instanceof Error ? error : new Error(String(error)) });
    }
  });
}
