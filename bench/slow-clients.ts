// Measures whether 350 slow clients slow down other readers, and how long they stay connected: `npm
// run bench:slow`.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { buildIfNeeded } from "../server/process/build.ts";
import { startServer, temporaryFolder } from "../tests/support/server.ts";
import { load } from "./support/load.ts";
import { figures, median } from "./support/statistics.ts";

const slowClients = 350;
const rounds = 5;
const reader = "GET /about HTTP/1.1\r\nAccept-Encoding: br";
const options = { clients: 8, seconds: 2 };

await buildIfNeeded(console.log);
const data = await temporaryFolder();
const server = await startServer({ DATA_DIR: data.path }, "server/main.ts", "ignore");
const page = await (await fetch(server.url)).text();
const script = /\/assets\/[\w./-]+\.js/.exec(page)?.[0] ?? "/";
const p99 = async () => (await load(server.url, reader, options)).p99;

const alone: number[] = [];
const among: number[] = [];
await p99();
for (let round = 1; round <= rounds; round += 1) {
  alone.push(await p99());
  const crowd = spawn(
    process.execPath,
    ["bench/support/slow-crowd.ts", new URL(server.url).port, String(slowClients), script],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  const lines = createInterface({ input: crowd.stdout });
  await once(lines, "line");
  const began = performance.now();
  among.push(await p99());
  if (round === rounds) {
    await once(lines, "line");
    console.log(
      `The last slow client was disconnected after ${seconds(performance.now() - began)} s.`,
    );
  } else crowd.kill();
}
console.table({
  "p99 ms, alone": figures(alone),
  [`p99 ms, with ${slowClients} slow clients`]: figures(among),
});
console.log(`Ratio of the medians: ${(median(among) / median(alone)).toFixed(2)}`);
await server.stop();
await data.remove();

function seconds(ms: number): number {
  return Math.round(ms / 1_000);
}
