// How the feed engine compares with the bare parser, and what a visit to a thousand feeds costs: `npm run bench:feeds`.
import { fork } from "node:child_process";
import { once } from "node:events";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { parseFeed } from "feedsmith";
import { sectionsFile } from "../app/features/feeds/files.server.ts";
import { readItems, refreshFeeds } from "../app/features/feeds/refresh.server.ts";
import { loadRecentTitles, store } from "../app/features/feeds/store.server.ts";
import { createSafeFetch } from "../app/lib/safe-fetch.server.ts";
import type { SiteFile } from "../app/lib/site-file.server.ts";
import { openDatabase } from "../db/client.ts";
import { temporaryFolder } from "../tests/support/server.ts";
import { feedText, itemsPerFeed } from "./feed-texts.ts";

const sample = 40;
const feeds = 1_000;
const seconds = async (work: () => Promise<unknown> | unknown) => {
  const start = performance.now();
  await work();
  return (performance.now() - start) / 1000;
};
const perSecond = (items: number, time: number) =>
  `${Math.round(items / time).toLocaleString("en-US")} items/s`;

const folder = await temporaryFolder();
const open = (name: string) => openDatabase({ dataDir: join(folder.path, name), onError: console.error });
const now = new Date("2026-11-15T12:00:00Z");

const bodies = Array.from({ length: sample }, (_, feed) => Buffer.from(feedText(feed)));
const parseAll = () => {
  for (const body of bodies) parseFeed(body.toString("utf8"));
};
parseAll();
const bare = await seconds(parseAll);
const items = sample * itemsPerFeed;
console.log(`bare parser            ${perSecond(items, bare)}`);

const read = (body: Uint8Array) => {
  const result = readItems({ body, type: "application/rss+xml", url: "https://a.example/feed" }, now);
  return result.kind === "items" ? result.items : [];
};
const reading = await seconds(() => bodies.map(read));
console.log(`read, clean, identify  ${perSecond(items, reading)}  ${(bare / reading).toFixed(2)} of bare`);

const first = await open("first");
const titles = await loadRecentTitles(first.db, now);
const storing = await seconds(async () => {
  for (const [feed, body] of bodies.entries()) await store(first.db, titles, `feed-${feed}`, read(body), now);
});
console.log(
  `read and store         ${perSecond(items, storing)}  ${(bare / storing).toFixed(2)} of bare (goal 0.5)`,
);
await first.close();

const server = fork(new URL("./feed-server.ts", import.meta.url), {
  stdio: ["ignore", "pipe", "inherit", "ipc"],
});
const [printed]: Buffer[] = await once(server.stdout ?? server, "data");
const host = `127.0.0.1:${printed?.toString("utf8").trim()}`;
// One address per host as in the world: every number of 127.0.0.0/8 is this machine.
const addresses = Array.from(
  { length: feeds },
  (_, feed) => `http://127.0.${feed >> 7}.${(feed & 127) + 1}:${host.split(":")[1]}/${feed}`,
);
const sections = sectionsFile.parse(
  JSON.stringify({
    places: [],
    widgetPoster: { file: "a.svg", width: 2, height: 1 },
    sections: {
      all: {
        ...{ heading: "A", intro: "A", description: "A" },
        feeds: {
          all: {
            title: "A",
            description: "A",
            sources: addresses.map((url, feed) => ({ name: `feed ${feed}`, url })),
          },
        },
      },
    },
  }),
);
if (!sections.ok) throw new Error(JSON.stringify(sections.problems[0]));
const second = await open("second");
let time = now.getTime();
const site = {
  read: <T>(file: SiteFile<T>) => (file.path === sectionsFile.path ? (sections.value as T) : (null as T)),
  readAll: () => [],
};
const tools = {
  ...{ db: second.db, site, clock: () => new Date(time), userAgent: "Harborline bench" },
  fetch: createSafeFetch(addresses.map((url) => new URL(url).hostname)),
};
let peak = 0;
const watching = setInterval(() => {
  peak = Math.max(peak, process.memoryUsage().rss);
}, 50);
const before = process.memoryUsage().rss;
const fresh = await seconds(async () => {
  const outcomes = await refreshFeeds(tools);
  const stored = outcomes.reduce((sum, outcome) => sum + outcome.fresh, 0);
  console.log(`first visit to ${feeds} feeds: ${stored} stored of ${feeds * itemsPerFeed}`);
});
console.log(
  `  ${fresh.toFixed(1)} s, memory ${Math.round(before / 1e6)} MB before, ${Math.round(peak / 1e6)} MB at most`,
);
time += 24 * 60 * 60 * 1000;
const again = await seconds(() => refreshFeeds(tools));
console.log(
  `second visit, nothing new: ${again.toFixed(1)} s, ${(again / fresh).toFixed(3)} of the first (goal under 0.1)`,
);
clearInterval(watching);
server.disconnect();
await second.close();
await rm(folder.path, { recursive: true, force: true });
