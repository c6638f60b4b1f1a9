// Sends 1,000 requests per second for a minute while pages are purged all the time: `npm run
// bench:soak`. Fails if any response is not a 200. Prints the memory every ten seconds.
import { readFileSync } from "node:fs";
import { Agent, get } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { buildIfNeeded } from "../server/process/build.ts";
import { runInServer } from "../tests/support/newsroom.ts";
import { startServer, temporaryFolder } from "../tests/support/server.ts";

const seconds = 60;
const requestsPerSecond = 1_000;
const purgeEveryMs = 250;
const paths = ["/", "/about", "/privacy", "/terms", "/about.data", "/?utm_source=soak"];

await buildIfNeeded(console.log);
const data = await temporaryFolder();
const server = await startServer({ DATA_DIR: data.path }, "server/main.ts", "ignore");
const agent = new Agent({ keepAlive: true, maxSockets: 64 });
const responseTimes: number[] = [];
const failures: string[] = [];
const memory: Record<string, string> = {};
let sent = 0;
let purges = 0;

const began = performance.now();
const elapsedMs = () => performance.now() - began;
const purging = purgeRepeatedly();
for (let second = 0; second <= seconds; second += 10) {
  while (elapsedMs() < second * 1_000) {
    while (sent < (elapsedMs() * requestsPerSecond) / 1_000)
      sendRequest(paths[sent % paths.length] ?? "/");
    await pause(2);
  }
  if (second > 0) memory[`after ${second} s`] = `${residentMegabytes()} MB`;
}
await purging;
await pause(1_000);
responseTimes.sort((one, other) => one - other);
console.table(memory);
console.log(
  `${responseTimes.length} of ${sent} requests completed in ${seconds} s, ${purges} purges, ` +
    `p50 ${responseTimes[responseTimes.length >> 1]?.toFixed(1)} ms, p99 ${responseTimes[Math.floor(responseTimes.length * 0.99)]?.toFixed(1)} ms, ` +
    `${failures.length} failed ${failures.slice(0, 3).join("; ")}`,
);
agent.destroy();
await server.stop();
await data.remove();
process.exitCode = failures.length === 0 && responseTimes.length === sent ? 0 : 1;

function sendRequest(path: string): void {
  sent += 1;
  const sentAt = performance.now();
  get(server.url + path, { agent, headers: { "accept-encoding": "br" } }, (response) => {
    if (response.statusCode !== 200) failures.push(`${path}: ${response.statusCode}`);
    response.resume().on("end", () => responseTimes.push(performance.now() - sentAt));
  }).on("error", (error) => failures.push(`${path}: ${error.message}`));
}

/** Runs the `newsroom purge` command in the server, alternating between all pages and one page. */
async function purgeRepeatedly(): Promise<void> {
  while (elapsedMs() < seconds * 1_000) {
    await runInServer(data.path, purges % 2 ? ["purge"] : ["purge", "page:/about"]);
    purges += 1;
    await pause(purgeEveryMs);
  }
}

function residentMegabytes(): number {
  const status = readFileSync(`/proc/${server.process.pid}/status`, "utf8");
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1_024);
}
