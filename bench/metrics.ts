// What counting requests for /metrics costs: `npm run bench:metrics`. The work of one count,
// measured alone, as a share of the processor time that the cheapest request takes, a page from
// memory; and two servers side by side, with and without.
import { readFileSync } from "node:fs";
import { createRequestTimes } from "../server/http/request-times.ts";
import { buildIfNeeded } from "../server/process/build.ts";
import { type RunningServer, startServer, temporaryFolder } from "../tests/support/server.ts";
import { load } from "./support/load.ts";
import { median, rounded } from "./support/statistics.ts";

const rounds = 7;
const options = { clients: 16, seconds: 1.5 };
const counts = 2_000_000;
const request = "GET /about HTTP/1.1\r\nAccept-Encoding: br";

await buildIfNeeded(console.log);
const folders = await Promise.all([temporaryFolder(), temporaryFolder()]);
const [off, on] = await Promise.all(
  folders.map(({ path }, index) =>
    startServer(
      { DATA_DIR: path, ...(index === 1 ? { METRICS_PORT: "0" } : {}) },
      "server/main.ts",
      "ignore",
    ),
  ),
);
if (!off || !on) throw new Error("no servers");

try {
  const times: Record<"off" | "on", number[]> = { off: [], on: [] };
  for (const server of [off, on]) await load(server.url, request, options);
  // Rounds alternate and change their order, so that a slow moment of the machine falls on both.
  for (let round = 0; round < rounds; round += 1) {
    const order = round % 2 === 0 ? (["off", "on"] as const) : (["on", "off"] as const);
    for (const name of order) times[name].push(await cpuMicroseconds(name === "on" ? on : off));
  }
  const [without, with_] = [median(times.off), median(times.on)];
  const count = median(Array.from({ length: 5 }, nanosecondsPerCount));
  console.table({
    "CPU µs per cached request, without": { value: rounded(without) },
    "CPU µs per cached request, with": { value: rounded(with_) },
    "with / without (the machine's noise included)": {
      value: Math.round((with_ / without) * 1_000) / 1_000,
    },
    "ns per count, alone": { value: Math.round(count) },
    "share of a cached request, %": { value: Math.round((count / 1_000 / without) * 10_000) / 100 },
  });
} finally {
  await off.stop();
  await on.stop();
  for (const folder of folders) await folder.remove();
}

/** All that a request from memory does more: two looks at the clock and one count. */
function nanosecondsPerCount(): number {
  const requests = createRequestTimes();
  const began = performance.now();
  for (let turn = 0; turn < counts; turn += 1) {
    const start = performance.now();
    requests.count("hit", 200, performance.now() - start);
  }
  return ((performance.now() - began) * 1e6) / counts;
}

async function cpuMicroseconds({ url, process: { pid } }: RunningServer): Promise<number> {
  const before = cpuMs(pid);
  const { requests } = await load(url, request, options);
  return ((cpuMs(pid) - before) * 1_000) / requests;
}

function cpuMs(pid: number | undefined): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10;
}
