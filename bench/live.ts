// Measures how long it takes until a change is on all cached pages and feeds of two nodes: `npm run
// bench:live`. A saved story is a file, which each node finds by itself. An imported event is in
// the database, which tells the nodes what to render again. Fails if a change took longer than the
// two seconds that the README promises.
import { rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { buildIfNeeded } from "../server/process/build.ts";
import { startCity } from "../tests/support/city.ts";
import { runInServer } from "../tests/support/newsroom.ts";
import { startPostgres } from "../tests/support/postgres.ts";
import { startServer, temporaryFolder } from "../tests/support/server.ts";
import { median } from "./support/statistics.ts";

const rounds = 10;
const promisedMs = 2_000;
const pollMs = 20;
const storyPaths = ["/", "/news", "/local", "/stories", "/archives", "/news/marble-steps"].concat(
  ["xml", "atom", "json"].map((extension) => `/feeds/stories.${extension}`),
);
const eventPaths = ["/events", "/events?when=today", "/events.json", "/feeds/events.xml"];

await buildIfNeeded(console.log);
const postgres = await startPostgres();
const env = { TRUST_PROXY: "1", DATABASE_URL: postgres.url("postgres") };
const city = await startCity({}, env);
const folder = await temporaryFolder();
const SITES_DIR = dirname(city.siteFolder);
const second = await startServer({ ...env, DATA_DIR: join(folder.path, "data"), SITES_DIR });

let visitors = 0;
async function isShown(url: string, text: string): Promise<boolean> {
  visitors += 1;
  const visitor = `10.0.${Math.floor(visitors / 250) % 250}.${visitors % 250}`;
  const response = await fetch(url, { headers: { "x-forwarded-for": visitor } });
  return (await response.text()).includes(text);
}

/** Measures how long a change takes to appear on these paths of both nodes. */
async function measure(paths: string[], text: string, change: () => Promise<unknown>) {
  const urls = [city.server, second].flatMap((node) => paths.map((path) => node.url + path));
  await Promise.all(urls.map((url) => isShown(url, text)));
  await change();
  const changedAt = performance.now();
  for (const url of urls) while (!(await isShown(url, text))) await pause(pollMs);
  return performance.now() - changedAt;
}

function writeStory(id: string): Promise<void> {
  const yesterday = new Date(Date.now() - 24 * 60 * 60_000).toISOString().slice(0, 10);
  return writeFile(
    join(city.siteFolder, "news", `${id}.md`),
    `---
title: Saved ${id}
excerpt: What we know so far.
category: Neighborhoods
date: ${yesterday}
image: { file: marble-steps.svg, alt: White steps }
---
Text.
`,
  );
}

async function importEvent(title: string): Promise<void> {
  const inAnHour = new Date(Date.now() + 60 * 60_000).toISOString().replaceAll(/[-:]|\.\d+/g, "");
  const lines = ["VCALENDAR", "VEVENT"]
    .map((part) => `BEGIN:${part}`)
    .concat(
      [`UID:${title}`, `SUMMARY:${title}`, `DTSTART:${inAnHour}`],
      ["VEVENT", "VCALENDAR"].map((part) => `END:${part}`),
    );
  const file = join(folder.path, `${title}.ics`);
  await writeFile(file, lines.join("\r\n"));
  const { code, output } = await runInServer(city.dataDir, ["events", "import", file]);
  if (code !== 0) throw new Error(output);
}

const ofStories: number[] = [];
const ofEvents: number[] = [];
for (let round = 0; round < rounds; round += 1) {
  const [id, title] = [`saved-${round}`, `Imported${round}`];
  ofStories.push(await measure(storyPaths, `/news/${id}`, () => writeStory(id)));
  await rm(join(city.siteFolder, "news", `${id}.md`));
  ofEvents.push(await measure(eventPaths, title, () => importEvent(title)));
}
await second.stop();
await city.close();
await postgres.stop();
await folder.remove();

const shown = { "a saved story": ofStories, "an imported event": ofEvents };
for (const [change, times] of Object.entries(shown))
  console.log(
    `${change}, until both nodes show it: median ${Math.round(median(times))} ms, ` +
      `slowest ${Math.round(Math.max(...times))} ms of ${rounds}`,
  );
process.exitCode = Math.max(...ofStories, ...ofEvents) <= promisedMs ? 0 : 1;
