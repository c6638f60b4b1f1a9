// Measures the cost of counting requests for /metrics: `npm run bench:metrics`. The script measures
// one count in isolation, as a share of the CPU time of the cheapest request (a cached page), and
// two servers side by side, with and without metrics.
import { readFileSync } from "node:fs";
import { createRequestTimes } from "../server/http/request-times.ts";
import { buildIfNeeded } from "../server/process/build.ts";
import { type RunningServer, startServer, temporaryFolder } from "../tests/support/server.ts";
import { runLoad } from "./support/load.ts";
import { median, roundToThousandths } from "./support/statistics.ts";

const rounds = 7;
const loadOptions = { clients: 16, seconds: 1.5 };
const countCalls = 2_000_000;
const request = "GET /about HTTP/1.1\r\nAccept-Encoding: br";

await buildIfNeeded(console.log);
const folders = await Promise.all([temporaryFolder(), temporaryFolder()]);
const [plainServer, meteredServer] = await Promise.all(
  folders.map(({ path }, index) =>
    startServer(
      { DATA_DIR: path, ...(index === 1 ? { METRICS_PORT: "0" } : {}) },
      "server/main.ts",
      "ignore",
    ),
  ),
);
if (!plainServer || !meteredServer) throw new Error("The servers did not start.");

try {
  const times: Record<"off" | "on", number[]> = { off: [], on: [] };
  for (const server of [plainServer, meteredServer])
    await runLoad(server.url, request, loadOptions);
  // Rounds alternate and change their order, so that a slow moment of the machine affects both
  // servers.
  for (let round = 0; round < rounds; round += 1) {
    const order = round % 2 === 0 ? (["off", "on"] as const) : (["on", "off"] as const);
    for (const name of order)
      times[name].push(await measureCpuMicroseconds(name === "on" ? meteredServer : plainServer));
  }
  const [withoutMetrics, withMetrics] = [median(times.off), median(times.on)];
  const count = median(Array.from({ length: 5 }, measureNanosecondsPerCount));
  console.table({
    "CPU µs per cached request, without": { value: roundToThousandths(withoutMetrics) },
    "CPU µs per cached request, with": { value: roundToThousandths(withMetrics) },
    "with / without (the machine's noise included)": {
      value: Math.round((withMetrics / withoutMetrics) * 1_000) / 1_000,
    },
    "ns per count, in isolation": { value: Math.round(count) },
    "share of a cached request, %": {
      value: Math.round((count / 1_000 / withoutMetrics) * 10_000) / 100,
    },
  });
} finally {
  await plainServer.stop();
  await meteredServer.stop();
  for (const folder of folders) await folder.remove();
}

/** Measures what metrics add to a cached request: two readings of the clock and one count. */
function measureNanosecondsPerCount(): number {
  const requests = createRequestTimes();
  const began = performance.now();
  for (let turn = 0; turn < countCalls; turn += 1) {
    const start = performance.now();
    requests.count("hit", 200, performance.now() - start);
  }
  return ((performance.now() - began) * 1e6) / countCalls;
}

async function measureCpuMicroseconds({ url, process: { pid } }: RunningServer): Promise<number> {
  const before = readCpuMs(pid);
  const { requests } = await runLoad(url, request, loadOptions);
  return ((readCpuMs(pid) - before) * 1_000) / requests;
}

function readCpuMs(pid: number | undefined): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10;
}
