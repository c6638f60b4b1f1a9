// The readers of bench/interference.ts, in a separate process so that the work of the benchmark is
// not mistaken for the server's. They send requests at fixed times without waiting for responses: a
// server that hangs for a second makes a second's worth of readers wait. The parent sends commands:
// "begin" drops the measurements so far, and "end" stops the readers.
import { Agent, get } from "node:http";
import { setTimeout as pause } from "node:timers/promises";

const [, , portText = "", cachedPath = "", renderedPathPrefix = ""] = process.argv;
const port = Number(portText);

/**
 * Requests per second. A rendered page costs a few milliseconds, so 20 leave most of a core for
 * everything else.
 */
const rates = { memory: 100, rendered: 20 };
const checkEveryMs = 2;

export type ResponseTimes = {
  /**
   * In milliseconds, sorted. A request without a response counts with the time that we waited for
   * it.
   */
  times: number[];
  pending: number;
  /** Requests that got anything but the page. */
  failed: number;
};
export type Measured = { memory: ResponseTimes; rendered: ResponseTimes; latenessP99: number };

type SentRequest = { sentAt: number; durationMs: number | null; isPage: boolean };

const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY });
let sent: Record<keyof typeof rates, SentRequest[]> = { memory: [], rendered: [] };
let lateness: number[] = [];
let turn = 0;
let isOpen = true;

function sendRequest(kind: keyof typeof rates): void {
  turn += 1;
  const path = kind === "memory" ? cachedPath : `${renderedPathPrefix}${turn}`;
  const request: SentRequest = { sentAt: performance.now(), durationMs: null, isPage: false };
  sent[kind].push(request);
  const finish = (ok: boolean) => {
    request.durationMs ??= performance.now() - request.sentAt;
    request.isPage = ok;
  };
  get(
    { host: "127.0.0.1", port, path, agent, headers: { "accept-encoding": "br" } },
    (response) => {
      response.resume().on("end", () => finish(response.statusCode === 200));
    },
  ).on("error", () => finish(false));
}

async function sendRequests(kind: keyof typeof rates): Promise<void> {
  const everyMs = 1_000 / rates[kind];
  for (let due = performance.now(); isOpen; due += everyMs) {
    while (performance.now() < due) await pause(checkEveryMs);
    if (!isOpen) return;
    lateness.push(performance.now() - due);
    sendRequest(kind);
  }
}

const isDone = ({ durationMs: took }: SentRequest) => took !== null;

function toResponseTimes(requests: SentRequest[]): ResponseTimes {
  const now = performance.now();
  return {
    times: requests
      .map(({ sentAt: at, durationMs: took }) => took ?? now - at)
      .sort((one, other) => one - other),
    pending: requests.filter((each) => !isDone(each)).length,
    failed: requests.filter((each) => isDone(each) && !each.isPage).length,
  };
}

process.on("message", async (message: { begin: true } | { end: true; timeoutMs: number }) => {
  if ("begin" in message) {
    sent = { memory: [], rendered: [] };
    lateness = [];
    return;
  }
  isOpen = false;
  const until = performance.now() + message.timeoutMs;
  const all = [...sent.memory, ...sent.rendered];
  while (!all.every(isDone) && performance.now() < until) await pause(20);
  lateness.sort((one, other) => one - other);
  const measured: Measured = {
    memory: toResponseTimes(sent.memory),
    rendered: toResponseTimes(sent.rendered),
    latenessP99: lateness[Math.floor(lateness.length * 0.99)] ?? 0,
  };
  process.send?.(measured, () => process.exit());
});
process.on("disconnect", () => process.exit());
await Promise.all([sendRequests("memory"), sendRequests("rendered")]);
