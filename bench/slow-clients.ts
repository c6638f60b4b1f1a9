// Measures whether 350 slow clients slow down other readers, and how long the slow clients stay
// connected: `npm run bench:slow`.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { buildIfNeeded } from "../server/process/build.ts";
import { startServer, temporaryFolder } from "../tests/support/server.ts";
import { runLoad } from "./support/load.ts";
import { median, summarize } from "./support/statistics.ts";

const slowClientCount = 350;
const rounds = 5;
const readerRequest = "GET /about HTTP/1.1\r\nAccept-Encoding: br";
const options = { clients: 8, seconds: 2 };

await buildIfNeeded(console.log);
const data = await temporaryFolder();
const server = await startServer({ DATA_DIR: data.path }, "server/main.ts", "ignore");
const page = await (await fetch(server.url)).text();
const script = /\/assets\/[\w./-]+\.js/.exec(page)?.[0] ?? "/";
const measureP99 = async () => (await runLoad(server.url, readerRequest, options)).p99;

const aloneP99s: number[] = [];
const crowdedP99s: number[] = [];
await measureP99();
for (let round = 1; round <= rounds; round += 1) {
  aloneP99s.push(await measureP99());
  const crowd = spawn(
    process.execPath,
    ["bench/support/slow-crowd.ts", new URL(server.url).port, String(slowClientCount), script],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  const lines = createInterface({ input: crowd.stdout });
  await once(lines, "line");
  const began = performance.now();
  crowdedP99s.push(await measureP99());
  if (round === rounds) {
    await once(lines, "line");
    console.log(
      `The last slow client was disconnected after ${toSeconds(performance.now() - began)} s.`,
    );
  } else crowd.kill();
}
console.table({
  "p99 ms, alone": summarize(aloneP99s),
  [`p99 ms, with ${slowClientCount} slow clients`]: summarize(crowdedP99s),
});
console.log(`Ratio of the medians: ${(median(crowdedP99s) / median(aloneP99s)).toFixed(2)}`);
await server.stop();
await data.remove();

function toSeconds(ms: number): number {
  return Math.round(ms / 1_000);
}
