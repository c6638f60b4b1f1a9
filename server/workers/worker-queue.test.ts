import { setTimeout as pause } from "node:timers/promises";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { WorkRefused } from "../../app/lib/external/work-refused.ts";
import type { hostileTasks } from "../../tests/fixtures/hostile-worker.ts";
import { openWorkerQueue, type WorkerQueue } from "./worker-queue.ts";

type Lane = WorkerQueue<typeof hostileTasks>;
const lanes: Lane[] = [];

const openLane = (options: { idleMs?: number; maxWaiting?: number } = {}): Lane =>
  openWorkerQueue<typeof hostileTasks>({
    file: "tests/fixtures/hostile-worker.ts",
    memoryMb: 64,
    idleMs: 60_000,
    maxWaiting: 10,
    ...options,
  });

function open(options: { idleMs?: number; maxWaiting?: number } = {}): Lane {
  const lane = openLane(options);
  lanes.push(lane);
  return lane;
}
afterEach(() => Promise.all(lanes.splice(0).map((lane) => lane.close())));

/** For jobs that leave their worker in order. */
const shared = openLane();
afterAll(() => shared.close());

const soon = { deadlineMs: 100 };
/** For jobs that end by themselves: the machine may be slow. */
const later = { deadlineMs: 30_000 };
const counter = () => new Int32Array(new SharedArrayBuffer(4));

describe("a worker lane", { timeout: 30_000 }, () => {
  it("ends a task that loops for ever, and does what waits behind it", async () => {
    const lane = open();
    const [endless, next] = [
      lane.run("loopForever", counter(), soon),
      lane.run("double", 21, later),
    ];
    expect(await endless).toEqual({ kind: "too-slow" });
    expect(await next).toEqual({ kind: "done", value: 42 });
  });

  it("ends a task that waits for ever", async () => {
    expect(await open().run("neverAnswer", undefined, soon)).toEqual({ kind: "too-slow" });
  });

  it("is patient with a task that gets little of a busy machine", async () => {
    expect(await shared.run("waitFor", 300, soon)).toEqual({ kind: "done", value: "waited" });
  });

  it("leaves this thread to others while a task spins", async () => {
    const lane = open();
    const spins = counter();
    const job = lane.run("loopForever", spins, { deadlineMs: 600 });
    while (Atomics.load(spins, 0) === 0) await pause(5);
    let ticks = 0;
    const ticking = setInterval(() => {
      ticks += 1;
    }, 5);
    await job;
    clearInterval(ticking);
    // In-thread it would be none.
    expect(ticks).toBeGreaterThan(10);
  });

  it.each(["fillWithObjects", "fillWithText", "fillWithBytes"] as const)(
    "ends a task that eats memory (%s), and nothing else",
    async (name) => {
      const lane = open();
      expect(await lane.run(name, undefined, later)).toEqual({ kind: "too-big" });
      expect(await lane.run("double", 4, later)).toEqual({ kind: "done", value: 8 });
    },
  );

  it("survives twenty bad jobs in a row", async () => {
    const lane = open({ maxWaiting: 40 });
    const bad = Array.from({ length: 20 }, (_, index) => {
      if (index % 10 === 0) return lane.run("loopForever", counter(), { deadlineMs: 10 });
      if (index % 10 === 1) return lane.run("endThread", undefined, later);
      return lane.run(index % 2 === 0 ? "throwError" : "answerWithFunction", undefined, later);
    });
    const last = lane.run("double", 3, later);
    const ends = await Promise.allSettled(bad);
    expect(ends.filter(({ status }) => status === "rejected")).toHaveLength(18);
    expect(ends[10]).toEqual({ status: "fulfilled", value: { kind: "too-slow" } });
    expect(await last).toEqual({ kind: "done", value: 6 });
  });

  it("hands on the error that a task throws", async () => {
    await expect(shared.run("throwError", undefined, later)).rejects.toThrow(
      new RangeError("the document is odd"),
    );
  });

  it("does not count the time that a worker needs to start and to load the task", async () => {
    expect(await shared.run("isSlowToLoad", undefined, soon)).toEqual({
      kind: "done",
      value: "loaded",
    });
  });

  it("accepts an answer that arrived in time while this thread was busy", async () => {
    const flags = new Int32Array(new SharedArrayBuffer(8));
    const job = shared.run("holdUntil", flags, soon);
    while (Atomics.load(flags, 0) === 0) await pause(5);
    await pause(20);
    // After this part of the event loop come the timers, and only then what has arrived.
    setImmediate(() => {
      Atomics.store(flags, 1, 1);
      Atomics.notify(flags, 1);
      const until = performance.now() + 1_000;
      while (performance.now() < until);
    });
    expect(await job).toEqual({ kind: "done", value: "released" });
  });

  it("moves a body instead of copying it", async () => {
    const body = new Uint8Array(1_000_000);
    const moved = shared.run("echoSize", body, { ...later, transfer: [body.buffer] });
    expect(body.byteLength).toBe(0);
    expect(await moved).toEqual({ kind: "done", value: 1_000_000 });
  });

  it("refuses what is more than may wait", async () => {
    const lane = open({ maxWaiting: 1 });
    const [running, waiting] = [lane.run("double", 1, later), lane.run("double", 2, later)];
    await expect(lane.run("double", 3, later)).rejects.toThrow(WorkRefused);
    expect(await Promise.all([running, waiting])).toHaveLength(2);
  });

  it("starts another worker after one has rested", async () => {
    const lane = open({ idleMs: 1 });
    await lane.run("double", 1, later);
    await pause(20);
    expect(await lane.run("double", 2, later)).toEqual({ kind: "done", value: 4 });
  });

  it("closes in the middle of a job, and refuses those that wait and those that come", async () => {
    const lane = open();
    const spins = counter();
    const jobs = [lane.run("loopForever", spins, later), lane.run("double", 1, later)];
    const ends = Promise.allSettled(jobs);
    while (Atomics.load(spins, 0) === 0) await pause(5);
    await lane.close();
    const closed = { status: "rejected", reason: expect.any(WorkRefused) };
    expect(await ends).toEqual([closed, closed]);
    await expect(lane.run("double", 1, later)).rejects.toThrow(WorkRefused);
  });
});
