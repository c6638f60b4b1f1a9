import { resolve as resolvePath } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { WorkRefused } from "../../app/lib/external/work-refused.ts";
import type { Job, TaskInput, TaskOutput, Tasks, WorkerMessage } from "./worker-tasks.ts";

/**
 * What a job came to. An error that the task throws, or a WorkRefused, rejects the promise instead.
 */
type Outcome<T> = { kind: "done"; value: T } | { kind: "too-slow" | "too-big" };

type QueueOptions = {
  /**
   * The worker's entry, a .ts file that Node runs directly, named from the folder the process was
   * started in.
   */
  file: string;
  /** A job that needs more memory than this loses its worker. */
  memoryMb: number;
  /** A worker without work ends after this time and gives its memory back. */
  idleMs: number;
  maxWaiting: number;
};

type JobOptions = {
  /**
   * How much of a processor's time the task may take: neither waiting for a turn nor starting a
   * worker counts, and on a busy machine it may take several times as long.
   */
  deadlineMs: number;
  /** Memory that moves to the worker instead of being copied. */
  transfer?: ArrayBuffer[];
};

export type WorkerQueue<T extends Tasks> = {
  run<Name extends keyof T & string>(
    name: Name,
    input: TaskInput<T[Name]>,
    options: JobOptions,
  ): Promise<Outcome<TaskOutput<T[Name]>>>;
  /** Ends the worker at once, also in the middle of a job. */
  close(): Promise<void>;
};

type Waiting = {
  job: Job;
  options: JobOptions;
  settle(outcome: Promise<Outcome<unknown>>): void;
  refuse(error: Error): void;
};

/**
 * V8's own limit is only a second one, because a worker that asks for one large piece of memory
 * beyond it ends the whole process. So the memory of a running job is looked at, and this is far
 * from what it can ask for between two looks.
 */
const v8LimitFactor = 3;
const checkMs = 25;
/** A task that takes this many times its deadline by the clock has stopped, or the machine has. */
const maxWallTimeFactor = 8;

/** Only our own code is loaded in this time, so no document can use it up. */
const startTimeoutMs = 60_000;

/**
 * One worker thread and the jobs that wait for it. The worker is started when there is work. A job
 * that takes too long or too much memory loses its worker; the next job gets another one.
 */
export function openWorkerQueue<T extends Tasks>(options: QueueOptions): WorkerQueue<T> {
  const { file, memoryMb, idleMs, maxWaiting } = options;
  const waiting: Waiting[] = [];
  let worker: Worker | null = null;
  let isWorking = false;
  let isClosed = false;
  let idle: NodeJS.Timeout | undefined;

  function start(): Worker {
    const started = new Worker(resolvePath(file), {
      // Flags of this process, such as those of a test runner, are not meant for the worker.
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: memoryMb * v8LimitFactor },
    });
    const forget = () => {
      if (worker === started) worker = null;
    };
    // Without a listener an error of the worker would end the process. Whoever waits for a job
    // hears of it too.
    started.on("error", forget);
    started.on("exit", forget);
    return started;
  }

  async function startJob(next: Waiting): Promise<Outcome<unknown>> {
    worker ??= start();
    return perform(worker, next, memoryMb * 1_000_000);
  }

  async function runWaiting(): Promise<void> {
    clearTimeout(idle);
    isWorking = true;
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const outcome = startJob(next);
      next.settle(outcome);
      await outcome.catch(() => {});
    }
    isWorking = false;
    if (!isClosed) idle = setTimeout(stopIdleWorker, idleMs);
  }

  function stopIdleWorker(): void {
    worker?.terminate();
    // A job that comes while this worker ends needs another one.
    worker = null;
  }

  return {
    run(name, input, jobOptions) {
      if (isClosed) return Promise.reject(new WorkRefused("the server is closing"));
      if (waiting.length >= maxWaiting)
        return Promise.reject(new WorkRefused("too much waits to be read"));
      const { promise, resolve, reject } = Promise.withResolvers<Outcome<never>>();
      // The table of tasks says what comes out of each; the thread in between cannot.
      const settle = (outcome: Promise<Outcome<unknown>>) =>
        resolve(outcome as Promise<Outcome<never>>);
      waiting.push({ job: { name, input }, options: jobOptions, settle, refuse: reject });
      if (!isWorking) runWaiting();
      return promise;
    },
    async close() {
      isClosed = true;
      clearTimeout(idle);
      for (const { refuse } of waiting.splice(0)) refuse(new WorkRefused("the server is closing"));
      await worker?.terminate();
    },
  };
}

/**
 * Has the worker do one job. However that ends, the answer comes only when the worker is free or
 * gone.
 */
function perform(
  worker: Worker,
  { job, options }: Waiting,
  maxMemoryBytes: number,
): Promise<Outcome<unknown>> {
  return new Promise((resolve, reject) => {
    let isOver = false;
    let fault: "too-slow" | "too-big" | null = null;
    const stop = (why: "too-slow" | "too-big") => {
      if (isOver) return;
      fault ??= why;
      worker.terminate();
    };
    // After a moment in which this thread was busy itself, the timer fires before an answer that
    // arrived in time.
    const giveUp = () => setImmediate(stop, "too-slow");
    const watch = async () => {
      const before = await worker.cpuUsage();
      while (!isOver && fault === null) {
        await pause(checkMs);
        const [heap, { user, system }] = await Promise.all([
          worker.getHeapStatistics(),
          worker.cpuUsage(before),
        ]);
        if (heap.used_heap_size + heap.external_memory > maxMemoryBytes) stop("too-big");
        if ((user + system) / 1_000 > options.deadlineMs) stop("too-slow");
      }
    };
    let timer = setTimeout(giveUp, startTimeoutMs);
    const finish = (end: () => void) => {
      isOver = true;
      clearTimeout(timer);
      worker.off("message", onMessage).off("error", onError).off("exit", onExit);
      end();
    };
    const onMessage = (answer: WorkerMessage) => {
      // The worker is ending, so the next job must not be given to it.
      if (fault !== null) return;
      switch (answer.kind) {
        case "begun":
          clearTimeout(timer);
          timer = setTimeout(giveUp, options.deadlineMs * maxWallTimeFactor);
          // It fails when the worker has ended.
          watch().catch(() => {});
          return;
        case "done":
          return finish(() => resolve(answer));
        case "threw":
          return finish(() => reject(answer.error));
      }
    };
    const onError = (error: Error) => {
      const isTooBig = "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY";
      finish(() => (isTooBig ? resolve({ kind: "too-big" }) : reject(error)));
    };
    const onExit = () =>
      finish(() =>
        fault
          ? resolve({ kind: fault })
          : reject(new WorkRefused("the reading of the document was stopped")),
      );
    worker.on("message", onMessage).on("error", onError).on("exit", onExit);
    try {
      worker.postMessage(job, options.transfer);
    } catch (error) {
      finish(() => reject(error));
    }
  });
}
