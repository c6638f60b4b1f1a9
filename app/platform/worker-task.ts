/**
 * A pure function that reads an external document. It runs in a worker thread, with limits on time
 * and memory. Its feature provides the code in `tasks.server.ts`, which only the worker loads.
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
  /** For type inference only. A task is never called through this property. */
  signature?: (input: Input) => Output;
};

/** The code of a task is loaded when it is first needed, so that a worker stays small. */
export type TaskCode<Input, Output> = {
  task: WorkerTask<Input, Output>;
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
