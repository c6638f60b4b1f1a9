/**
 * A pure function that reads what others wrote. It runs in a worker thread, with limits. Its
 * feature declares it by name, and gives its code in `tasks.server.ts`, which only the worker
 * loads.
 */
export type WorkerTask<Input, Output> = {
  name: string;
  /**
   * Readers wait for a post, but nobody waits for a document. Each kind has a worker of its own.
   */
  queue: "documents" | "posts";
  /** Processor time that one input may take: many times what the largest honest input needs. */
  deadlineMs: number;
  /** For the types only: a task is never called through this. */
  signature?: (input: Input) => Output;
};

/** The code of a task is loaded when it is first needed, so that a worker stays small. */
export type TaskCode<Input, Output> = {
  task: WorkerTask<Input, Output>;
  load(): Promise<(input: Input) => Output>;
};

/** `detail` names the limit: "more than 5 seconds". */
export type WorkerOutcome<Output> =
  | { kind: "done"; value: Output }
  | { kind: "too-slow" | "too-big"; detail: string };

/**
 * An error that the task throws rejects the promise; so does a WorkRefused, when the server is
 * closing or too much waits. `transfer` is memory that moves to the worker and is not copied.
 */
export type RunInWorker = <Input, Output>(
  task: WorkerTask<Input, Output>,
  input: Input,
  transfer?: ArrayBuffer[],
) => Promise<WorkerOutcome<Output>>;
