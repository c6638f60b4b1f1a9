// A separate process for the visitors who cause the load in bench/interference.ts. When the parent
// sends "end", this process reports the responses that the visitors got.
import { setTimeout as pause } from "node:timers/promises";
import { sendRequest } from "./visitors.ts";

const [, , kind = "", portText = ""] = process.argv;
const port = Number(portText);

/** The number of responses by status; 0 is a connection that ended without a response. */
export type Statuses = Record<number, number>;
export type LoadReport = { statuses: Statuses; pending: number };

const statuses: Statuses = {};
let [turn, inFlight] = [0, 0];
let isRunning = true;
/** A server that leaves this many requests without a response gets no further requests. */
const maxInFlight = 1_500;

const countStatus = (status: number) => {
  statuses[status] = (statuses[status] ?? 0) + 1;
};

/** Sends requests at fixed times, each from a new visitor, without waiting for responses. */
async function sendPerSecond(rate: number, send: (from: number) => Promise<number>): Promise<void> {
  const began = performance.now();
  while (isRunning) {
    while (turn < ((performance.now() - began) * rate) / 1_000) {
      turn += 1;
      if (inFlight >= maxInFlight) continue;
      inFlight += 1;
      send(turn).then((status) => {
        inFlight -= 1;
        countStatus(status);
      });
    }
    await pause(2);
  }
}

/** Runs several clients. Each sends its next request after the response to the previous one. */
async function sendInParallel(
  clients: number,
  send: (from: number) => Promise<number>,
): Promise<void> {
  const runClient = async () => {
    while (isRunning) {
      turn += 1;
      inFlight += 1;
      countStatus(await send(turn));
      inFlight -= 1;
      // A refusal takes almost no time, and this row is not about an endless stream of refusals.
      await pause(20);
    }
  };
  await Promise.all(Array.from({ length: clients }, runClient));
}

/** Words that are in nearly every text, so they do not narrow down a search. */
const stopWords = ["the", "of", "and", "to", "in", "is", "for", "on", "with", "that"];

/**
 * Returns the stop words in a different order for each visitor, so that the server cannot use
 * cached results.
 */
function stopWordQuery(from: number): string {
  const remainingWords = [...stopWords];
  const words: string[] = [];
  for (
    let remainder = from * 7_919;
    remainingWords.length > 0;
    remainder = Math.floor(remainder / stopWords.length) + from
  )
    words.push(...remainingWords.splice(remainder % remainingWords.length, 1));
  return words.join("+");
}

const loads: Record<string, () => Promise<void>> = {
  searches: () =>
    sendPerSecond(50, (from) =>
      sendRequest({ port, visitor: from, path: `/search?q=${stopWordQuery(from)}` }),
    ),
  parts: () => {
    const part = '--hostile\r\nContent-Disposition: form-data; name="a"\r\n\r\n\r\n';
    const body = Buffer.from(`${part.repeat(Math.floor(24_000_000 / part.length))}--hostile--\r\n`);
    const headers = { "content-type": "multipart/form-data; boundary=hostile" };
    return sendInParallel(4, (from) =>
      sendRequest({
        port,
        visitor: from,
        path: "/community/submit",
        method: "POST",
        headers,
        body,
      }),
    );
  },
};

process.on("message", () => {
  isRunning = false;
  const report: LoadReport = { statuses, pending: inFlight };
  process.send?.(report, () => process.exit());
});
process.on("disconnect", () => process.exit());
process.send?.("ready");
await loads[kind]?.();
