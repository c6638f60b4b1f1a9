// The readers of bench/interference.ts, in a process of their own so that its own work cannot be
// taken for the server's. They ask at fixed times, whether or not earlier requests were answered: a
// server that is stuck for a second makes a second's worth of readers wait. Commands come from the
// parent: "begin" forgets what was measured so far, "end" stops.
import { Agent, get } from "node:http";
import { setTimeout as pause } from "node:timers/promises";

const [, , portText = "", fromMemory = "", rendered = ""] = process.argv;
const port = Number(portText);

/**
 * Requests per second. A rendered page costs some milliseconds, so 20 leave most of a core to the
 * rest.
 */
const rates = { memory: 100, rendered: 20 };
const checkEveryMs = 2;

export type Waits = {
  /** Sorted. One that was never answered is as long as we waited for it. */
  times: number[];
  unanswered: number;
  /** Answered with anything but the page. */
  failed: number;
};
export type Measured = { memory: Waits; rendered: Waits; latenessP99: number };

type Asked = { at: number; took: number | null; ok: boolean };

const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY });
let asked: Record<keyof typeof rates, Asked[]> = { memory: [], rendered: [] };
let lateness: number[] = [];
let turn = 0;
let isOpen = true;

function ask(kind: keyof typeof rates): void {
  turn += 1;
  const path = kind === "memory" ? fromMemory : `${rendered}${turn}`;
  const request: Asked = { at: performance.now(), took: null, ok: false };
  asked[kind].push(request);
  const done = (ok: boolean) => {
    request.took ??= performance.now() - request.at;
    request.ok = ok;
  };
  get({ host: "127.0.0.1", port, path, agent, headers: { "accept-encoding": "br" } }, (answer) => {
    answer.resume().on("end", () => done(answer.statusCode === 200));
  }).on("error", () => done(false));
}

async function keepAsking(kind: keyof typeof rates): Promise<void> {
  const everyMs = 1_000 / rates[kind];
  for (let due = performance.now(); isOpen; due += everyMs) {
    while (performance.now() < due) await pause(checkEveryMs);
    if (!isOpen) return;
    lateness.push(performance.now() - due);
    ask(kind);
  }
}

const isAnswered = ({ took }: Asked) => took !== null;

function waitsOf(all: Asked[]): Waits {
  const now = performance.now();
  return {
    times: all.map(({ at, took }) => took ?? now - at).sort((one, other) => one - other),
    unanswered: all.filter((each) => !isAnswered(each)).length,
    failed: all.filter((each) => isAnswered(each) && !each.ok).length,
  };
}

process.on("message", async (message: { begin: true } | { end: true; patienceMs: number }) => {
  if ("begin" in message) {
    asked = { memory: [], rendered: [] };
    lateness = [];
    return;
  }
  isOpen = false;
  const until = performance.now() + message.patienceMs;
  const all = [...asked.memory, ...asked.rendered];
  while (!all.every(isAnswered) && performance.now() < until) await pause(20);
  lateness.sort((one, other) => one - other);
  const measured: Measured = {
    memory: waitsOf(asked.memory),
    rendered: waitsOf(asked.rendered),
    latenessP99: lateness[Math.floor(lateness.length * 0.99)] ?? 0,
  };
  process.send?.(measured, () => process.exit());
});
process.on("disconnect", () => process.exit());
await Promise.all([keepAsking("memory"), keepAsking("rendered")]);
