import { setTimeout as pause } from "node:timers/promises";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { WorkRefused } from "../../app/lib/external/work-refused.ts";
import type { hostileTasks } from "../../tests/fixtures/hostile-worker.ts";
import { openWorkerQueue, type WorkerQueue } from "./worker-queue.ts";

type Queue = WorkerQueue<typeof hostileTasks>;
const queues: Queue[] = [];

const openQueue = (options: { idleMs?: number; maxWaiting?: number } = {}): Queue =>
  openWorkerQueue<typeof hostileTasks>({
    file: "tests/fixtures/hostile-worker.ts",
    memoryMb: 64,
    idleMs: 60_000,
    maxWaiting: 10,
    ...options,
  });

function openUntilTestEnds(options: { idleMs?: number; maxWaiting?: number } = {}): Queue {
  const queue = openQueue(options);
  queues.push(queue);
  return queue;
}
afterEach(() => Promise.all(queues.splice(0).map((queue) => queue.close())));

/** A queue for jobs that do not harm their worker. */
const sharedQueue = openQueue();
afterAll(() => sharedQueue.close());

const shortDeadline = { deadlineMs: 100 };
/** A deadline for jobs that finish without being stopped, even on a slow machine. */
const longDeadline = { deadlineMs: 30_000 };
const createCounter = () => new Int32Array(new SharedArrayBuffer(4));

describe("a worker queue", { timeout: 30_000 }, () => {
  it("stops a task that loops forever, and runs the next one", async () => {
    const queue = openUntilTestEnds();
    const [endless, next] = [
      queue.run("loopForever", createCounter(), shortDeadline),
      queue.run("double", 21, longDeadline),
    ];
    expect(await endless).toEqual({ kind: "too-slow" });
    expect(await next).toEqual({ kind: "done", value: 42 });
  });

  it("stops a task that waits forever", async () => {
    expect(await openUntilTestEnds().run("neverRespond", undefined, shortDeadline)).toEqual({
      kind: "too-slow",
    });
  });

  it("gives a task more time when the machine is busy", async () => {
    expect(await sharedQueue.run("waitFor", 300, shortDeadline)).toEqual({
      kind: "done",
      value: "waited",
    });
  });

  it("keeps the main thread responsive while a task loops", async () => {
    const queue = openUntilTestEnds();
    const spins = createCounter();
    const job = queue.run("loopForever", spins, { deadlineMs: 600 });
    while (Atomics.load(spins, 0) === 0) await pause(5);
    let ticks = 0;
    const ticking = setInterval(() => {
      ticks += 1;
    }, 5);
    await job;
    clearInterval(ticking);
    // If the task ran in this thread, there would be no ticks at all.
    expect(ticks).toBeGreaterThan(10);
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
    expect(await sharedQueue.run("loadSlowly", undefined, shortDeadline)).toEqual({
      kind: "done",
      value: "loaded",
    });
  });

  it("accepts a result that arrived in time while the main thread was busy", async () => {
    const flags = new Int32Array(new SharedArrayBuffer(8));
    const job = sharedQueue.run("holdUntil", flags, shortDeadline);
    while (Atomics.load(flags, 0) === 0) await pause(5);
    await pause(20);
    // The next phases of the event loop are the timers, and only then the messages that arrived.
    setImmediate(() => {
      Atomics.store(flags, 1, 1);
      Atomics.notify(flags, 1);
      const until = performance.now() + 1_000;
      while (performance.now() < until);
    });
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
    const queue = openUntilTestEnds({ idleMs: 1 });
    await queue.run("double", 1, longDeadline);
    await pause(20);
    expect(await queue.run("double", 2, longDeadline)).toEqual({ kind: "done", value: 4 });
  });

  it("closes in the middle of a job, and refuses waiting and later jobs", async () => {
    const queue = openUntilTestEnds();
    const spins = createCounter();
    const jobs = [
      queue.run("loopForever", spins, longDeadline),
      queue.run("double", 1, longDeadline),
    ];
    const ends = Promise.allSettled(jobs);
    while (Atomics.load(spins, 0) === 0) await pause(5);
    await queue.close();
    const closed = { status: "rejected", reason: expect.any(WorkRefused) };
    expect(await ends).toEqual([closed, closed]);
    await expect(queue.run("double", 1, longDeadline)).rejects.toThrow(WorkRefused);
  });
});
