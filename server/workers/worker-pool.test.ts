import { setTimeout as pause } from "node:timers/promises";
import { setEnvironmentData } from "node:worker_threads";
import { afterAll, afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { postTask } from "../../app/features/blog/tasks.server.ts";
import { drawCardTask } from "../../app/features/share-images/tasks.server.ts";
import { WorkRefused } from "../../app/lib/external/work-refused.ts";
import { openWorkerPool, openWorkerQueue, type WorkerQueue } from "./worker-pool.ts";

const queues: WorkerQueue[] = [];

const openQueue = (options: { idleMs?: number; maxWaiting?: number } = {}): WorkerQueue =>
  openWorkerQueue({
    file: "tests/fixtures/hostile-worker.ts",
    memoryMb: 64,
    idleMs: 60_000,
    maxWaiting: 10,
    ...options,
  });

function openUntilTestEnds(options: { idleMs?: number; maxWaiting?: number } = {}): WorkerQueue {
  const queue = openQueue(options);
  queues.push(queue);
  return queue;
}
beforeEach(() => {
  // The time of the queue's own timers passes only when a test advances it. The CPU time that a task
  // uses is real.
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
});
afterEach(async () => {
  await Promise.all(queues.splice(0).map((queue) => queue.close()));
  vi.useRealTimers();
});

/** A queue for jobs that do not harm their worker. */
const sharedQueue = openQueue();
afterAll(() => sharedQueue.close());

const shortDeadline = { deadlineMs: 100 };
/** A deadline for jobs that finish without being stopped, even on a slow machine. */
const longDeadline = { deadlineMs: 30_000 };
/** A task that uses no CPU time is stopped after this time. */
const shortWallTimeMs = 8 * shortDeadline.deadlineMs;
const createCounter = () => new Int32Array(new SharedArrayBuffer(4));
const createFlags = () => new Int32Array(new SharedArrayBuffer(12));

/** Waits until a worker has increased the first value. */
async function waitUntilAbove(limit: number, values: Int32Array): Promise<void> {
  while (Atomics.load(values, 0) <= limit) await pause(1);
}
function release(flags: Int32Array): void {
  Atomics.store(flags, 1, 1);
  Atomics.notify(flags, 1);
}

it("a share image waits for no post, and a post for no share image", async () => {
  const pool = openWorkerPool("tests/fixtures/hostile-worker.ts");
  onTestFinished(() => pool.close());
  const task = { deadlineMs: 30_000, load: () => Promise.reject(new Error("runs in the worker")) };
  const hold = { ...task, name: "holdUntil" };
  const double = { ...task, name: "double" };
  for (const [busy, free] of [
    [postTask.queue, drawCardTask.queue],
    [drawCardTask.queue, postTask.queue],
  ] as const) {
    const flags = createFlags();
    const held = pool.run({ ...hold, queue: busy }, flags);
    await waitUntilAbove(0, flags);
    expect(await pool.run({ ...double, queue: free }, 21)).toMatchObject({ value: 42 });
    release(flags);
    await held;
  }
});

describe("a worker queue", () => {
  it("stops a task that loops forever, and runs the next one", async () => {
    const queue = openUntilTestEnds();
    const [endless, next] = [
      queue.run("loopForever", createCounter(), shortDeadline),
      queue.run("double", 21, longDeadline),
    ];
    expect(await endless).toEqual({ kind: "too-slow" });
    expect(await next).toEqual({ kind: "done", value: 42 });
  });

  it("gives a task more time when the machine is busy, and stops a task that waits forever", async () => {
    const queue = openUntilTestEnds();
    const flags = createFlags();
    const job = queue.run("holdUntil", flags, shortDeadline);
    await waitUntilAbove(0, flags);
    vi.advanceTimersByTime(shortWallTimeMs - 1);
    release(flags);
    expect(await job).toEqual({ kind: "done", value: "released" });

    const endless = queue.run("holdUntil", createFlags(), shortDeadline);
    let isOver = false;
    endless.finally(() => {
      isOver = true;
    });
    // The time counts from the moment when this thread knows that the task has begun.
    while (!isOver) {
      vi.advanceTimersByTime(shortWallTimeMs);
      await pause(1);
    }
    expect(await endless).toEqual({ kind: "too-slow" });
  });

  it("keeps the main thread responsive while a task loops", async () => {
    const spins = createCounter();
    const queue = openUntilTestEnds();
    const job = queue.run("loopForever", spins, longDeadline);
    // If the task ran in this thread, it would never end.
    for (let turns = 0; turns < 10; turns += 1) await waitUntilAbove(Atomics.load(spins, 0), spins);
    await queue.close();
    await expect(job).rejects.toThrow(WorkRefused);
  });

  it.each(["fillWithObjects", "fillWithText", "fillWithBytes"] as const)(
    "stops a task that uses too much memory (%s), and nothing else",
    async (name) => {
      const queue = openUntilTestEnds();
      expect(await queue.run(name, undefined, longDeadline)).toEqual({ kind: "too-big" });
      expect(await queue.run("double", 4, longDeadline)).toEqual({ kind: "done", value: 8 });
    },
  );

  it("survives twenty bad jobs in a row", async () => {
    const queue = openUntilTestEnds({ maxWaiting: 40 });
    const bad = Array.from({ length: 20 }, (_, index) => {
      if (index % 10 === 0) return queue.run("loopForever", createCounter(), { deadlineMs: 10 });
      if (index % 10 === 1) return queue.run("endThread", undefined, longDeadline);
      return queue.run(index % 2 === 0 ? "throwError" : "returnFunction", undefined, longDeadline);
    });
    const last = queue.run("double", 3, longDeadline);
    const ends = await Promise.allSettled(bad);
    expect(ends.filter(({ status }) => status === "rejected")).toHaveLength(18);
    expect(ends[10]).toEqual({ status: "fulfilled", value: { kind: "too-slow" } });
    expect(await last).toEqual({ kind: "done", value: 6 });
  });

  it("passes on the error that a task throws", async () => {
    await expect(sharedQueue.run("throwError", undefined, longDeadline)).rejects.toThrow(
      new RangeError("the document is odd"),
    );
  });

  it("does not count the time that a worker needs to start and to load the task", async () => {
    const flags = createFlags();
    setEnvironmentData("loadSlowly", flags);
    onTestFinished(() => setEnvironmentData("loadSlowly", undefined));
    const job = openUntilTestEnds().run("loadSlowly", undefined, shortDeadline);
    await waitUntilAbove(0, flags);
    vi.advanceTimersByTime(2 * shortWallTimeMs);
    release(flags);
    expect(await job).toEqual({ kind: "done", value: "loaded" });
  });

  it("accepts a result that arrived in time while the main thread was busy", async () => {
    const flags = createFlags();
    const job = sharedQueue.run("holdUntil", flags, shortDeadline);
    await waitUntilAbove(0, flags);
    // The message that the task has begun arrives meanwhile.
    await pause(5);
    release(flags);
    // This thread is blocked until the result has been sent. Its timers are due before it receives
    // the message.
    Atomics.wait(flags, 2, 0);
    vi.advanceTimersByTime(shortWallTimeMs);
    expect(await job).toEqual({ kind: "done", value: "released" });
  });

  it("transfers a body instead of copying it", async () => {
    const body = new Uint8Array(1_000_000);
    const moved = sharedQueue.run("echoSize", body, { ...longDeadline, transfer: [body.buffer] });
    expect(body.byteLength).toBe(0);
    expect(await moved).toEqual({ kind: "done", value: 1_000_000 });
  });

  it("refuses a job when too many are waiting", async () => {
    const queue = openUntilTestEnds({ maxWaiting: 1 });
    const [running, waiting] = [
      queue.run("double", 1, longDeadline),
      queue.run("double", 2, longDeadline),
    ];
    await expect(queue.run("double", 3, longDeadline)).rejects.toThrow(WorkRefused);
    expect(await Promise.all([running, waiting])).toHaveLength(2);
  });

  it("starts a new worker after the last one was idle and stopped", async () => {
    const queue = openUntilTestEnds({ idleMs: 60_000 });
    const first = await queue.run("getThreadId", undefined, longDeadline);
    expect(await queue.run("getThreadId", undefined, longDeadline)).toEqual(first);
    await vi.advanceTimersByTimeAsync(60_000);
    const next = await queue.run("getThreadId", undefined, longDeadline);
    expect(next).toMatchObject({ kind: "done" });
    expect(next).not.toEqual(first);
  });

  it("closes in the middle of a job, and refuses waiting and later jobs", async () => {
    const queue = openUntilTestEnds();
    const spins = createCounter();
    const jobs = [
      queue.run("loopForever", spins, longDeadline),
      queue.run("double", 1, longDeadline),
    ];
    const ends = Promise.allSettled(jobs);
    await waitUntilAbove(0, spins);
    await queue.close();
    const closed = { status: "rejected", reason: expect.any(WorkRefused) };
    expect(await ends).toEqual([closed, closed]);
    await expect(queue.run("double", 1, longDeadline)).rejects.toThrow(WorkRefused);
  });
});
