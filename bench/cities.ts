// How long one city and five cities take to start on one machine, and how much memory they use:
// npm run bench:cities
import { cpSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { loadavg } from "node:os";
import { join } from "node:path";
import {
  makeDataTemplate,
  type RunningServer,
  startServer,
  temporaryFolder,
} from "../tests/support/server.ts";

const pages = ["/", "/news", "/events", "/blog", "/about"];

/** Returns the memory of a process in MB: all of it, and with a share of what processes share. */
async function readMemory(pid: number): Promise<{ rss: number; pss: number }> {
  const rollup = await readFile(`/proc/${pid}/smaps_rollup`, "utf8");
  const read = (name: string) =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(rollup)?.[1]) / 1024;
  return { rss: read("Rss"), pss: read("Pss") };
}

async function startTimed(env: Record<string, string>): Promise<[RunningServer, number]> {
  const startedAt = performance.now();
  const server = await startServer(env, "server/start.ts");
  return [server, performance.now() - startedAt];
}

async function measure(folder: string, template: string, count: number): Promise<string> {
  const sites = join(folder, `sites-${count}`);
  const cities = Array.from({ length: count }, (_, index) => `city-${index + 1}`);
  for (const city of cities) {
    cpSync("sites/baltimore", join(sites, city), { recursive: true });
    cpSync(template, join(folder, `data-${count}`, city), { recursive: true });
  }
  const begin = performance.now();
  const started = await Promise.all(
    cities.map((city) =>
      startTimed({ SITES_DIR: sites, SITE: city, DATA_DIR: join(folder, `data-${count}`, city) }),
    ),
  );
  const allMs = performance.now() - begin;
  for (const [server] of started) {
    // After this line, everything is loaded that a server loads after its start.
    await server.waitForOutput("data.loaded");
    for (const page of pages) await (await fetch(server.url + page)).text();
  }
  const memory = await Promise.all(started.map(([server]) => readMemory(server.process.pid ?? 0)));
  for (const [server] of started) await server.stop();
  const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);
  const times = started.map(([, ms]) => ms);
  return [
    count,
    (Math.min(...times) / 1_000).toFixed(1),
    (allMs / 1_000).toFixed(1),
    Math.round(sum(memory.map(({ rss }) => rss)) / count),
    Math.round(sum(memory.map(({ pss }) => pss)) / count),
    Math.round(sum(memory.map(({ pss }) => pss))),
  ].join(" | ");
}

const folder = await temporaryFolder();
try {
  const template = join(folder.path, "template");
  await makeDataTemplate(template);
  console.log(`load average ${loadavg()[0]?.toFixed(1)}`);
  console.log(
    "| cities | first ready, s | all ready, s | RSS per city, MB | PSS per city, MB | PSS of all, MB |",
  );
  console.log("| --- | --- | --- | --- | --- | --- |");
  for (const count of [1, 5]) console.log(`| ${await measure(folder.path, template, count)} |`);
} finally {
  await folder.remove();
}
