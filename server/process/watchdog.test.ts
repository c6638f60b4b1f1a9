import { describe, expect, it, onTestFinished, vi } from "vitest";
import { createLog } from "../../app/lib/log.ts";
import { bareHost } from "../../tests/support/command-host.ts";
import { nameForLog, openCommandContext } from "../newsroom/commands.ts";
import { checkDelays } from "../newsroom/doctor/machine.ts";
import { checkEveryMs, createActivities, createWatchdog, type Delay } from "./watchdog.ts";

function recordLog() {
  const lines: string[] = [];
  const log = createLog({ write: (line: string) => lines.push(line) });
  return { log, events: () => lines.map((line): Record<string, unknown> => JSON.parse(line)) };
}

/** A watchdog whose time passes only when a test advances it. */
function createTimedWatchdog() {
  let time = 0;
  const { log, events } = recordLog();
  const activities = createActivities();
  const clock = () => new Date(Date.UTC(2026, 10, 15, 12) + time);
  const watchdog = createWatchdog({ activities, log, clock, now: () => time });
  watchdog.start();
  watchdog.stop();
  /** Simulates a busy event loop: the next check is this many milliseconds late. */
  const delay = (ms: number) => {
    time += ms + checkEveryMs;
    watchdog.check();
  };
  return {
    watchdog,
    activities,
    events,
    delay,
    /** Simulates this many minutes in which all checks are on time. */
    passMinutes(minutes: number) {
      for (let checks = 0; checks < (minutes * 60_000) / checkEveryMs; checks += 1) delay(0);
    },
  };
}

describe("the watchdog of the event loop", () => {
  it("logs when the loop was blocked, and what was running", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    onTestFinished(() => void vi.useRealTimers());
    const { log, events } = recordLog();
    const activities = createActivities();
    let time = 0;
    const watchdog = createWatchdog({ activities, log, now: () => time });
    watchdog.start();
    const endPost = activities.begin("POST /contact/form");
    const block = activities.track("job calendars", async () => {
      time += checkEveryMs + 300;
    });
    endPost();
    await block;
    vi.advanceTimersByTime(checkEveryMs);
    watchdog.stop();
    expect(events()).toMatchObject([
      { level: "warn", event: "event_loop.blocked", running: "job calendars, POST /contact/form" },
    ]);
    expect(watchdog.findWorst()?.ms).toBe(300);
  });

  it("logs at most three delays per minute", () => {
    const { delay, passMinutes, events } = createTimedWatchdog();
    for (let turn = 0; turn < 10; turn += 1) delay(300);
    expect(events()).toHaveLength(3);
    passMinutes(1);
    delay(300);
    expect(events()).toHaveLength(4);
  });

  it("names the five newest activities, and none that has ended", () => {
    const { delay, activities, events } = createTimedWatchdog();
    for (const number of [1, 2, 3, 4, 5, 6]) activities.begin(`GET /${number}`);
    activities.begin("GET /ended")();
    delay(10);
    delay(300);
    expect(events()).toMatchObject([{ running: "GET /6, GET /5, GET /4, GET /3, GET /2" }]);
  });

  it("reports the longest delay of the last hour only", () => {
    const { delay, passMinutes, watchdog } = createTimedWatchdog();
    delay(5_000);
    passMinutes(30);
    delay(900);
    delay(1_500);
    expect(watchdog.findWorst()?.ms).toBe(5_000);
    passMinutes(40);
    expect(watchdog.findWorst()?.ms).toBe(1_500);
    passMinutes(40);
    expect(watchdog.findWorst()).toBe(null);
  });
});

describe("the name of a newsroom command in the log", () => {
  it("contains its verb, but not the email address that was typed", () => {
    const command = {
      name: "subscribers",
      group: "Newsletter" as const,
      summary: "",
      examples: [],
      verbs: { remove: { arguments: { address: { description: "" } }, run: async () => 0 } },
    };
    expect(nameForLog([command], ["subscribers", "remove", "reader@example.com"])).toBe(
      "subscribers remove",
    );
    expect(nameForLog([command], ["subscribers", "reader@example.com"])).toBe("subscribers");
    expect(nameForLog([command], ["reader@example.com"])).toBe("help");
  });
});

describe("doctor's finding about delays", () => {
  const findingFor = (worst: Delay | null, isServing = true) =>
    checkDelays(
      openCommandContext({ ...bareHost, isServing, worstDelay: () => worst }),
      "America/New_York",
    );
  const delay = (ms: number): Delay => ({
    ms,
    at: new Date("2026-11-15T14:05:30Z"),
    running: ["job feeds"],
  });

  it.each([
    [null, "good", "none of 0.2 seconds or more within the last hour"],
    [
      delay(340),
      "good",
      "the longest within the last hour was 0.3 seconds at 9:05 AM, during job feeds",
    ],
    [
      delay(12_700),
      "warning",
      "Within the last hour all requests had to wait for 12.7 seconds at 9:05 AM, during job feeds.",
    ],
  ])("%#: describes the longest delay", (worst, state, message) => {
    expect(findingFor(worst)).toMatchObject({ state, message });
  });

  it("says that nothing was measured if no server is running", () => {
    expect(findingFor(null, false)).toMatchObject({
      state: "good",
      message: "not measured: no server is running",
    });
  });
});
