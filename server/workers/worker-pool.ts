import { resolve as resolvePath } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { QueueFull, WorkRefused } from "../../app/lib/external/work-refused.ts";
import type { RunInWorker, WorkerTask } from "../../app/platform/worker-task.ts";
import type { TaskRun, WorkerMessage } from "./worker-tasks.ts";

type WorkerPool = { run: RunInWorker; close(): Promise<void> };

/** The most memory that a task may use. A legitimate calendar of 24 MB needs about half of it. */
const memoryMb = 256;
/** How many tasks may wait in each queue. */
const maxWaiting = 100;

/**
 * Opens worker threads that parse external documents, so that no document can block or end the
 * process. There are three queues, so that a reader who opens a post never waits for an imported
 * calendar or for share images. More queues would take CPU time from readers for work that no
 * reader waits for. `maxDeadlineMs` shortens the deadlines of all tasks.
 */
export function openWorkerPool(
  file = "server/workers/pool-worker.ts",
  maxDeadlineMs = Number.POSITIVE_INFINITY,
): WorkerPool {
  const openQueue = (idleMs: number) => openWorkerQueue({ file, memoryMb, idleMs, maxWaiting });
  // Readers wait for posts, so the worker for posts keeps running longer.
  const queues = {
    documents: openQueue(10_000),
    posts: openQueue(60_000),
    images: openQueue(10_000),
  };
  return {
    async run<Input, Output>(
      task: WorkerTask<Input, Output>,
      input: Input,
      transfer: ArrayBuffer[] = [],
    ) {
      const deadlineMs = Math.min(task.deadlineMs, maxDeadlineMs);
      const outcome = await queues[task.queue].run(task.name, input, { deadlineMs, transfer });
      // The task declares the type of its result; messages between threads are untyped.
      if (outcome.kind === "done") return { kind: "done", value: outcome.value as Output };
      const limit = {
        "too-slow": `${deadlineMs / 1000} seconds`,
        "too-big": `${memoryMb} MB of memory`,
      };
      return { kind: outcome.kind, detail: `more than ${limit[outcome.kind]}` };
    },
    async close() {
      await Promise.all(Object.values(queues).map((queue) => queue.close()));
    },
  };
}

/** If the task throws an error or is refused (WorkRefused), the promise is rejected instead. */
type Outcome = { kind: "done"; value: unknown } | { kind: "too-slow" | "too-big" };

type QueueOptions = {
  /** The worker's entry file, relative to the folder that the process was started in. */
  file: string;
  /** The worker is stopped when a task needs more memory than this. */
  memoryMb: number;
  /** An idle worker is stopped after this time to free its memory. */
  idleMs: number;
  maxWaiting: number;
};

type RunOptions = {
  /** How much CPU time the task may use, not counting the time to wait and to start a worker. */
  deadlineMs: number;
  /** Memory that is transferred to the worker instead of being copied. */
  transfer?: ArrayBuffer[];
};

export type WorkerQueue = {
  run(name: string, input: unknown, options: RunOptions): Promise<Outcome>;
  /** Stops the worker at once, even in the middle of a task. */
  close(): Promise<void>;
};

type QueuedRun = PromiseWithResolvers<Outcome> & { run: TaskRun; options: RunOptions };

/**
 * V8's own limit is this many times `memoryMb`, far above what a task can allocate between two checks,
 * because a worker that exceeds it with one large allocation ends the entire process.
 */
const v8LimitFactor = 3;
/** How often the memory and the CPU time of a running task are checked. */
const checkEveryMs = 25;
/** A task that runs for this many times its deadline on the wall clock hangs. */
const maxWallTimeFactor = 8;

/** A worker loads only our own code, so no document affects its start. */
const startTimeoutMs = 60_000;

/**
 * Opens a queue for one worker thread, which is started when there is work. When a task takes too long
 * or too much memory, the worker is stopped and the next task gets a new one.
 */
export function openWorkerQueue({ file, memoryMb, idleMs, maxWaiting }: QueueOptions): WorkerQueue {
  const waiting: QueuedRun[] = [];
  let worker: Worker | null = null;
  let isWorking = false;
  let isClosed = false;
  let idleTimer: NodeJS.Timeout | undefined;

  function startWorker(): Worker {
    const started = new Worker(resolvePath(file), {
      // The worker must not inherit the flags of this process, such as those of a test runner.
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: memoryMb * v8LimitFactor },
    });
    const release = () => {
      if (worker === started) worker = null;
    };
    // Without a listener, an error would end the process. The caller of the task gets it too.
    started.on("error", release);
    started.on("exit", release);
    return started;
  }

  async function startRun(next: QueuedRun): Promise<Outcome> {
    worker ??= startWorker();
    return runTask(worker, next, memoryMb * 1_000_000);
  }

  async function runWaiting(): Promise<void> {
    clearTimeout(idleTimer);
    isWorking = true;
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      await startRun(next).then(next.resolve, next.reject);
    }
    isWorking = false;
    if (!isClosed) idleTimer = setTimeout(stopIdleWorker, idleMs);
  }

  function stopIdleWorker(): void {
    worker?.terminate();
    // A task that arrives while this worker stops needs a new one.
    worker = null;
  }

  return {
    run(name, input, runOptions) {
      if (isClosed) return Promise.reject(new WorkRefused("the server is closing"));
      if (waiting.length >= maxWaiting)
        return Promise.reject(new QueueFull("too many documents are waiting to be read"));
      const outcome = Promise.withResolvers<Outcome>();
      waiting.push({ ...outcome, run: { name, input }, options: runOptions });
      if (!isWorking) runWaiting();
      return outcome.promise;
    },
    async close() {
      isClosed = true;
      clearTimeout(idleTimer);
      for (const { reject } of waiting.splice(0)) reject(new WorkRefused("the server is closing"));
      await worker?.terminate();
    },
  };
}

/** Runs a task. The promise settles only when the worker is free again or has stopped. */
function runTask(
  worker: Worker,
  { run, options }: QueuedRun,
  maxMemoryBytes: number,
): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    let isOver = false;
    let failure: "too-slow" | "too-big" | null = null;
    const stop = (why: "too-slow" | "too-big") => {
      if (isOver) return;
      failure ??= why;
      worker.terminate();
    };
    // If this thread was busy, the timer fires before a result that arrived in time is delivered,
    // so wait for one more turn of the event loop.
    const giveUp = () => setImmediate(stop, "too-slow");
    const watchLimits = async () => {
      const cpuAtStart = await worker.cpuUsage();
      while (!isOver && failure === null) {
        await pause(checkEveryMs);
        const [heap, { user, system }] = await Promise.all([
          worker.getHeapStatistics(),
          worker.cpuUsage(cpuAtStart),
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
    const onMessage = (message: WorkerMessage) => {
      // The worker is being stopped, so it must not get the next task.
      if (failure !== null) return;
      switch (message.kind) {
        case "started":
          clearTimeout(timer);
          timer = setTimeout(giveUp, options.deadlineMs * maxWallTimeFactor);
          // Watching fails when the worker has stopped.
          watchLimits().catch(() => {});
          return;
        case "done":
          return finish(() => resolve(message));
        case "threw":
          return finish(() => reject(message.error));
      }
    };
    const onError = (error: Error) => {
      const isTooBig = "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY";
      finish(() => (isTooBig ? resolve({ kind: "too-big" }) : reject(error)));
    };
    const onExit = () =>
      finish(() =>
        failure
          ? resolve({ kind: failure })
          : reject(new WorkRefused("the worker stopped before it had read the document")),
      );
    worker.on("message", onMessage).on("error", onError).on("exit", onExit);
    try {
      worker.postMessage(run, options.transfer);
    } catch (error) {
      finish(() => reject(error));
    }
  });
}
