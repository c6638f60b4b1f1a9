// Measures what 1,000 listeners cost and whether all of them receive all audio, compared to
// Icecast: `npm run bench:radio`.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import { z } from "zod";
import { buildIfNeeded } from "../server/process/build.ts";
import { findFreePort } from "../tests/support/free-port.ts";
import { startIcecast, startStudio } from "../tests/support/icecast.ts";
import { findProgram } from "../tests/support/programs.ts";
import { startServer, temporaryFolder } from "../tests/support/server.ts";
import { roundToThousandths } from "./support/statistics.ts";

const listenerCount = Number(process.argv[2] ?? 1_000);
const seconds = Number(process.argv[3] ?? 60);
/**
 * The CPU time is measured only this long after all listeners have joined. The crowd measures how
 * long joining takes.
 */
const settleSeconds = 5;
const ticksPerSecond = 100;
const audioFile = "sites/baltimore/radio/02-slack-water.mp3";

const crowdReport = z.object({
  listeners: z.number(),
  withAudio: z.number(),
  starved: z.number(),
  lost: z.number(),
  p50Ms: z.number(),
  p99Ms: z.number(),
  megabytes: z.number(),
});

await buildIfNeeded(console.log);
const rows: Record<string, Record<string, number | string>> = {};

const data = await temporaryFolder();
const env = { DATA_DIR: data.path, RADIO_MAX_LISTENERS: String(listenerCount + 10) };
const server = await startServer(env, "server/main.ts", "ignore");
await fetch(`${server.url}/about`);
const idlePageTimes = await measurePageTimes(server.url, 3);
rows.Harborline = await measure(
  server.process.pid ?? 0,
  Number(new URL(server.url).port),
  "/api/stream?port=8076",
);
const ownResults = rows.Harborline;
await server.stop();
await data.remove();

const [icecast, ffmpeg] = [findProgram("icecast2"), findProgram("ffmpeg")];
if (icecast && ffmpeg) {
  const port = await findFreePort();
  const station = await startIcecast(icecast, port, { listeners: listenerCount });
  const studio = await startStudio(ffmpeg, port, audioFile);
  // Our own station had also played for several seconds, so that its burst buffer was full.
  await pause(6_000);
  rows.Icecast = await measure(station.pid, port, "/live");
  await studio.kill();
  await station.kill();
} else console.log("Icecast or ffmpeg is not installed, so there is no comparison.");

console.table(rows);
console.log(
  `Pages, p99: ${idlePageTimes.p99} ms without listeners, ${ownResults["page p99 ms"]} ms with ${listenerCount}.`,
);
const [ours, theirs] = [
  rows.Harborline["CPU µs/listener-second"],
  rows.Icecast?.["CPU µs/listener-second"],
];
if (typeof ours === "number" && typeof theirs === "number")
  console.log(`CPU per listener, relative to Icecast: ${(ours / theirs).toFixed(2)}`);

async function measure(
  pid: number,
  port: number,
  path: string,
): Promise<Record<string, number | string>> {
  const before = await readUsage(pid);
  const args = [
    "bench/support/radio-crowd.ts",
    String(port),
    path,
    String(listenerCount),
    String(seconds + settleSeconds),
  ];
  const crowd = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  const lines = createInterface({ input: crowd.stdout });
  await once(lines, "line");
  await pause(settleSeconds * 1_000);
  const early = await readUsage(pid);
  const pages = path.startsWith("/api/")
    ? measurePageTimes(`http://127.0.0.1:${port}`, seconds - 5)
    : null;
  const finalLine = once(lines, "line");
  await pause((seconds - 2) * 1_000);
  const late = await readUsage(pid);
  const times = await pages;
  const [line] = await finalLine;
  const listenerReport = crowdReport.parse(JSON.parse(String(line)));
  // This includes the page requests in the meantime: five per second, which is negligible.
  const cpuSeconds = (late.ticks - early.ticks) / ticksPerSecond;
  return {
    "with audio": `${listenerReport.withAudio} of ${listenerReport.listeners}`,
    "first audio p50 ms": roundToThousandths(listenerReport.p50Ms),
    "p99 ms": roundToThousandths(listenerReport.p99Ms),
    starved: listenerReport.starved,
    lost: listenerReport.lost,
    "CPU µs/listener-second": Math.round(
      (cpuSeconds * 1e6) / listenerReport.withAudio / (seconds - 2),
    ),
    "MB before": before.megabytes,
    "MB after 5 s": early.megabytes,
    "MB at the end": late.megabytes,
    ...(times ? { "page p99 ms": times.p99 } : {}),
  };
}

/** Reads the CPU time and memory of a process from /proc. */
async function readUsage(pid: number): Promise<{ ticks: number; megabytes: number }> {
  const stat = (await readFile(`/proc/${pid}/stat`, "utf8")).split(") ")[1]?.split(" ") ?? [];
  const resident = /VmRSS:\s+(\d+)/.exec(await readFile(`/proc/${pid}/status`, "utf8"))?.[1];
  return {
    ticks: Number(stat[11]) + Number(stat[12]),
    megabytes: Math.round(Number(resident) / 1_024),
  };
}

/** Requests a page five times per second and measures the response times. */
async function measurePageTimes(url: string, forSeconds: number): Promise<{ p99: number }> {
  const times: number[] = [];
  for (let n = 0; n < forSeconds * 5; n += 1) {
    const began = performance.now();
    await (await fetch(`${url}/about`)).arrayBuffer();
    times.push(performance.now() - began);
    await pause(200);
  }
  times.sort((one, other) => one - other);
  return { p99: roundToThousandths(times[Math.floor(times.length * 0.99)] ?? 0) };
}
