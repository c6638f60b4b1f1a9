import type { Log } from "../../app/lib/log.ts";
import { createDistribution, histogram, type MetricGroup } from "../../app/lib/metrics.ts";

export type Delay = {
  at: Date;
  ms: number;
  /** The activities at that time, newest first. */
  running: string[];
};

type Options = {
  activities: Activities;
  log: Log;
  /** A monotonic clock, in milliseconds. */
  now?: () => number;
  clock?: () => Date;
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
 * Detects when the event loop is blocked. Logs what was running, a few times per minute at most,
 * and remembers the longest delay of the last hour.
 */
export function createWatchdog({
  activities,
  log,
  now = () => performance.now(),
  clock = () => new Date(),
}: Options) {
  let timer: NodeJS.Timeout | undefined;
  let lastCheck = 0;
  // Sorted by length, longest first. A delay that was followed by a longer one is dropped, because
  // it can never be the longest again.
  const delays: Delay[] = [];
  let loggedAt: Date[] = [];

  const distribution = createDistribution(delayBounds);

  function record(delay: Delay): void {
    while (delays[0] && !isWithin(hourMs, delays[0].at, delay.at)) delays.shift();
    while ((delays.at(-1)?.ms ?? Number.POSITIVE_INFINITY) <= delay.ms) delays.pop();
    delays.push(delay);
    loggedAt = loggedAt.filter((at) => isWithin(minuteMs, at, delay.at));
    // One cause can lead to many delays, which must not fill the log.
    if (loggedAt.length >= maxLogsPerMinute) return;
    loggedAt.push(delay.at);
    log.warn("event_loop.blocked", { ms: delay.ms, running: delay.running.join(", ") });
  }

  function check(): void {
    const time = now();
    const ms = Math.round(time - lastCheck - checkEveryMs);
    distribution.observe(Math.max(0, ms) / 1_000);
    if (ms >= minDelayMs)
      record({ at: clock(), ms, running: activities.list().slice(0, maxNamedActivities) });
    activities.clearEnded();
    lastCheck = time;
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
      lastCheck = now();
      // The timer does not keep the process alive.
      timer = setInterval(check, checkEveryMs).unref();
    },
    check,
    metrics,
    findWorst: (): Delay | null => delays.find(({ at }) => isWithin(hourMs, at, clock())) ?? null,
    stop: () => clearInterval(timer),
  };
}

const isWithin = (ms: number, at: Date, now: Date) => now.getTime() - at.getTime() < ms;

export type Activities = ReturnType<typeof createActivities>;

type Activity = { name: string; order: number };

/**
 * Creates a list of what the process is doing, which names a few candidates for the cause of a
 * delay. AsyncLocalStorage would name the exact cause, but it would slow down every request.
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
