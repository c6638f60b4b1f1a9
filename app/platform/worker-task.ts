/**
 * A pure function that reads an external document. It runs in a worker thread, with limits on time
 * and memory. A feature declares its tasks in `tasks.server.ts`.
 */
export type WorkerTask<Input, Output> = {
  name: string;
  /**
   * Each queue has its own worker, because readers wait for posts, other sites for share images,
   * and nobody for other documents, such as feeds and calendars.
   */
  queue: "documents" | "posts" | "images";
  /** The maximum CPU time for one input: many times what the largest legitimate input needs. */
  deadlineMs: number;
  /** Only the worker calls it, when it first needs the task, so that it uses little memory. */
  load(): Promise<(input: Input) => Output>;
};

/** `detail` names the limit that the task exceeded, such as "more than 5 seconds". */
type WorkerOutcome<Output> =
  | { kind: "done"; value: Output }
  | { kind: "too-slow" | "too-big"; detail: string };

/**
 * Runs a task in a worker thread. Rejects with an error that the task throws, or with WorkRefused
 * if the server is closing or the queue is full. The memory in `transfer` moves to the worker
 * instead of being copied.
 */
export type RunInWorker = <Input, Output>(
  task: WorkerTask<Input, Output>,
  input: Input,
  transfer?: ArrayBuffer[],
) => Promise<WorkerOutcome<Output>>;
