import type { Log } from "../../app/lib/log.ts";
import { createDistribution, histogram, type MetricGroup } from "../../app/lib/metrics.ts";

/** A time in which the event loop was blocked, so that all requests waited. */
export type Delay = {
  at: Date;
  ms: number;
  /** The activities at that time, newest first. */
  running: string[];
};

/** The longest delay of each kind within the last hour. */
export type WorstDelays = {
  /** The process was using the processor: code in this thread blocked the event loop. */
  busy: Delay | null;
  /**
   * The process hardly used the processor during the delay: SIGSTOP, a sleeping machine, swapping,
   * or a long wait for the disk.
   */
  suspended: Delay | null;
};

type Options = {
  activities: Activities;
  log: Log;
  /** A monotonic clock, in milliseconds. */
  now?: () => number;
  clock?: () => Date;
  /** Processor time that this thread has used, in milliseconds. */
  cpuMs?: () => number;
};

/** A shorter delay is not recorded. */
export const minDelayMs = 200;
export const checkEveryMs = 50;
const delayBounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.2, 0.5, 1, 2, 5];
const hourMs = 3_600_000;
const minuteMs = 60_000;
const maxLogsPerMinute = 3;
const maxNamedActivities = 5;
/**
 * If the process got a smaller share of a processor than this, it was suspended. Even on an
 * overloaded machine, a busy event loop gets more.
 */
const maxSuspendedShare = 0.05;

/** Detects when the event loop is blocked, and logs what was running. */
export function createWatchdog({
  activities,
  log,
  now = () => performance.now(),
  clock = () => new Date(),
  cpuMs = threadCpuMs,
}: Options) {
  let timer: NodeJS.Timeout | undefined;
  let isStarted = false;
  let lastCheck = { time: 0, cpu: 0 };
  const busy = createDelayRecord("event_loop.blocked", log);
  const suspended = createDelayRecord("event_loop.suspended", log);

  const distribution = createDistribution(delayBounds);

  /** Compares the time since the last check with the expected time. */
  function check(): void {
    const [time, cpu] = [now(), cpuMs()];
    const passed = time - lastCheck.time;
    const ms = Math.round(passed - checkEveryMs);
    distribution.observe(Math.max(0, ms) / 1_000);
    if (ms >= minDelayMs) {
      const record = cpu - lastCheck.cpu < passed * maxSuspendedShare ? suspended : busy;
      record.add({ at: clock(), ms, running: activities.list().slice(0, maxNamedActivities) });
    }
    activities.clearEnded();
    lastCheck = { time, cpu };
  }

  const metrics: MetricGroup = {
    name: "event loop",
    read: () => [
      histogram(
        "harborline_event_loop_delay_seconds",
        `How late each check of the event loop was. Checks are due every ${checkEveryMs} ms. Requests waited as long as the check.`,
        distribution.samples(),
      ),
    ],
  };
  return {
    start() {
      isStarted = true;
      lastCheck = { time: now(), cpu: cpuMs() };
      // The timer does not keep the process alive.
      timer = setInterval(check, checkEveryMs).unref();
    },
    check,
    metrics,
    /** Null before the start, when nothing has been measured. */
    findWorst: (): WorstDelays | null =>
      isStarted ? { busy: busy.findWorst(clock()), suspended: suspended.findWorst(clock()) } : null,
    stop: () => clearInterval(timer),
  };
}

/**
 * Records delays of one kind: remembers the longest of the last hour, and logs a few per minute.
 */
function createDelayRecord(event: string, log: Log) {
  // Sorted by length, longest first. A delay that was followed by a longer one is dropped, because
  // it can never be the longest again.
  const delays: Delay[] = [];
  let loggedAt: Date[] = [];
  let notLogged = 0;
  return {
    add(delay: Delay) {
      while (delays[0] && !isWithin(hourMs, delays[0].at, delay.at)) delays.shift();
      while ((delays.at(-1)?.ms ?? Number.POSITIVE_INFINITY) <= delay.ms) delays.pop();
      delays.push(delay);
      loggedAt = loggedAt.filter((at) => isWithin(minuteMs, at, delay.at));
      // One cause can lead to many delays, which must not fill the log.
      if (loggedAt.length >= maxLogsPerMinute) {
        notLogged += 1;
        return;
      }
      loggedAt.push(delay.at);
      const { ms, running } = delay;
      log.warn(event, { ms, running: running.join(", "), notLogged: notLogged || undefined });
      notLogged = 0;
    },
    findWorst: (now: Date) => delays.find(({ at }) => isWithin(hourMs, at, now)) ?? null,
  };
}

const isWithin = (ms: number, at: Date, now: Date) => now.getTime() - at.getTime() < ms;

/**
 * Returns the processor time of this thread only, because workers continue while it is blocked.
 * Node 22 reports only the processor time of the entire process.
 */
function threadCpuMs(): number {
  const { user, system } = (process.threadCpuUsage ?? process.cpuUsage).call(process);
  return (user + system) / 1_000;
}

export type Activities = ReturnType<typeof createActivities>;

type Activity = { name: string; order: number };

/**
 * Creates a list of what the process is doing, which names a few candidates for the cause of a delay.
 * AsyncLocalStorage would name the exact cause, but it would slow down every request.
 */
export function createActivities() {
  const running = new Set<Activity>();
  let ended: Activity[] = [];
  let count = 0;
  /** Records that an activity has begun. The returned function records its end. */
  const begin = (name: string) => {
    count += 1;
    const activity = { name, order: count };
    running.add(activity);
    return () => {
      if (running.delete(activity)) ended.push(activity);
    };
  };
  return {
    begin,
    /** Runs `work`, and records when it begins and ends. */
    async track<T>(name: string, work: () => Promise<T>): Promise<T> {
      const end = begin(name);
      try {
        return await work();
      } finally {
        end();
      }
    },
    /** The names of all activities that ran since the last `clearEnded`, newest first. */
    list: () =>
      [...ended, ...running].sort((one, other) => other.order - one.order).map(({ name }) => name),
    clearEnded() {
      if (ended.length > 0) ended = [];
    },
  };
}
