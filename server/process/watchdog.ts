import type { Log } from "../../app/lib/log.ts";
import { createDistribution, histogram, type MetricGroup } from "../../app/lib/metrics.ts";
import type { Activities } from "./activities.ts";

/** A time in which the event loop did one thing only, so that all readers waited. */
export type Delay = {
  at: Date;
  ms: number;
  /** What was running at that time, newest first. */
  running: string[];
};

/** The longest delay of each kind within the last hour. */
export type WorstDelays = {
  busy: Delay | null;
  /**
   * The process hardly used the processor: SIGSTOP, a sleeping machine, swapping, a long wait for
   * the disk.
   */
  suspended: Delay | null;
};

export type Watchdog = {
  start(): void;
  /**
   * Compares the time that has passed since the last check with the time that should have passed.
   */
  check(): void;
  metrics: MetricGroup;
  /** Null before the start: nothing is known then. */
  findWorst(): WorstDelays | null;
  stop(): void;
};

type Options = {
  activities: Activities;
  log: Log;
  /** Milliseconds that only go forward. */
  now?: () => number;
  clock?: () => Date;
  /** Processor time that this thread has used, in milliseconds. */
  cpuMs?: () => number;
};

export const delayMs = 200;
export const checkEveryMs = 50;
const delayBounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.2, 0.5, 1, 2, 5];
const hourMs = 3_600_000;
const minuteMs = 60_000;
const logsPerMinute = 3;
const maxNamed = 5;
/** A busy loop on an overloaded machine still gets more of the processor than this. */
const suspendedShare = 0.05;

/** Notices when the event loop is blocked, and says in the log by what. */
export function createWatchdog({
  activities,
  log,
  now = () => performance.now(),
  clock = () => new Date(),
  cpuMs = threadCpuMs,
}: Options): Watchdog {
  let timer: NodeJS.Timeout | undefined;
  let isStarted = false;
  let last = { time: 0, cpu: 0 };
  const busy = createRecord("event_loop.blocked", log);
  const suspended = createRecord("event_loop.suspended", log);

  const distribution = createDistribution(delayBounds);

  const watchdog: Watchdog = {
    start() {
      isStarted = true;
      last = { time: now(), cpu: cpuMs() };
      // It keeps no process alive that has nothing else to do.
      timer = setInterval(watchdog.check, checkEveryMs).unref();
    },
    check() {
      const [time, cpu] = [now(), cpuMs()];
      const passed = time - last.time;
      const ms = Math.round(passed - checkEveryMs);
      distribution.observe(Math.max(0, ms) / 1_000);
      if (ms >= delayMs) {
        const record = cpu - last.cpu < passed * suspendedShare ? suspended : busy;
        record.add({ at: clock(), ms, running: activities.list().slice(0, maxNamed) });
      }
      activities.clearEnded();
      last = { time, cpu };
    },
    metrics: {
      name: "event loop",
      read: () => [
        histogram(
          "harborline_event_loop_delay_seconds",
          `How late a check came that is due every ${checkEveryMs} ms: readers waited as long.`,
          distribution.samples(),
        ),
      ],
    },
    findWorst: () =>
      isStarted ? { busy: busy.findWorst(clock()), suspended: suspended.findWorst(clock()) } : null,
    stop: () => clearInterval(timer),
  };
  return watchdog;
}

/** Delays of one kind: the longest of the last hour, and a few per minute in the log. */
function createRecord(event: string, log: Log) {
  // Sorted, the longest first: a delay that was followed by a longer one can never be the worst
  // again.
  const delays: Delay[] = [];
  let logged: Date[] = [];
  let notLogged = 0;
  return {
    add(delay: Delay) {
      while (delays[0] && !isWithin(hourMs, delays[0].at, delay.at)) delays.shift();
      while ((delays.at(-1)?.ms ?? Number.POSITIVE_INFINITY) <= delay.ms) delays.pop();
      delays.push(delay);
      logged = logged.filter((at) => isWithin(minuteMs, at, delay.at));
      // One cause of many delays must not fill the log.
      if (logged.length >= logsPerMinute) {
        notLogged += 1;
        return;
      }
      logged.push(delay.at);
      const { ms, running } = delay;
      log.warn(event, { ms, running: running.join(", "), notLogged: notLogged || undefined });
      notLogged = 0;
    },
    findWorst: (now: Date) => delays.find(({ at }) => isWithin(hourMs, at, now)) ?? null,
  };
}

const isWithin = (ms: number, at: Date, now: Date) => now.getTime() - at.getTime() < ms;

/**
 * Of this thread alone, since workers go on while it is blocked. Node 22 knows only the whole
 * process.
 */
function threadCpuMs(): number {
  const { user, system } = (process.threadCpuUsage ?? process.cpuUsage).call(process);
  return (user + system) / 1_000;
}
