// Compares the feed import to the bare parser, on the built-in database and on Postgres (both sync
// to disk), and measures a refresh of a thousand feeds: `npm run bench:feeds`. `npm run bench:feeds
// -- --quick` leaves out the thousand feeds.
import { fork } from "node:child_process";
import { once } from "node:events";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { parseFeed } from "feedsmith";
import { sectionsFile } from "../app/features/feeds/files.server.ts";
import { readItems } from "../app/features/feeds/import/read.server.ts";
import { refreshFeeds } from "../app/features/feeds/import/refresh.server.ts";
import {
  createStore,
  loadRecentTitles,
  type SourceState,
} from "../app/features/feeds/import/store.server.ts";
import { readFeedInWorker } from "../app/features/feeds/import/worker-task.server.ts";
import { createSafeFetch } from "../app/lib/external/safe-fetch.server.ts";
import type { SiteFile } from "../app/site-files/site-file.server.ts";
import { openDatabase } from "../db/client.ts";
import type { OpenDatabase } from "../db/database.ts";
import { openWorkerPool } from "../server/workers/worker-pool.ts";
import { createDatabase, startPostgres } from "../tests/support/postgres.ts";
import { temporaryFolder } from "../tests/support/server.ts";
import { readCpuSeconds } from "./support/database-cpu.ts";
import { createFeedText, itemsPerFeed } from "./support/feed-texts.ts";
import { median } from "./support/statistics.ts";

const feedsPerRound = 40;
const rounds = 5;
/** The number of feeds that a refresh visits at the same time. */
const concurrentVisits = 8;
const feedCount = 1_000;
const measureSeconds = async (work: () => Promise<unknown> | unknown) => {
  const start = performance.now();
  await work();
  return (performance.now() - start) / 1000;
};
/** Elapsed time and CPU time: on a busy machine only the CPU time says what the work costs. */
type Cost = { time: number; cpu: number };
const measureCost = async (work: () => Promise<unknown> | unknown): Promise<Cost> => {
  const before = process.cpuUsage();
  const time = await measureSeconds(work);
  const { user, system } = process.cpuUsage(before);
  return { time, cpu: (user + system) / 1e6 };
};
const perSecond = (items: number, time: number) =>
  `${Math.round(items / time).toLocaleString("en-US")} items/s`;

const folder = await temporaryFolder();
const openNamedDatabase = (name: string, databaseUrl?: string) =>
  openDatabase({
    dataDir: join(folder.path, name),
    databaseUrl,
    onError: ({ message }) => console.error(message),
  });
const now = new Date("2026-11-15T12:00:00Z");

const createFeeds = (firstNumber: number) =>
  Array.from({ length: feedsPerRound }, (_, feed) => ({
    id: `feed-${firstNumber + feed}`,
    body: Buffer.from(createFeedText(firstNumber + feed)),
  }));
const response = { type: "application/rss+xml", url: "https://a.example/feed" };
const readFeedItems = (body: Uint8Array) => {
  const result = readItems({ ...response, body }, now);
  return result.kind === "items" ? result.items : [];
};
const createState = (id: string): SourceState => ({
  id,
  url: "https://a.example/feed",
  movedTo: null,
  etag: null,
  lastModified: null,
  bodyHash: null,
  checkedAt: now,
  lastSuccessAt: now,
  nextAttemptAt: now,
  failures: 0,
  cause: null,
  detail: null,
  items: 0,
});
const itemsPerRound = feedsPerRound * itemsPerFeed;

const workers = openWorkerPool();
const sampleFeeds = createFeeds(0);
/**
 * Measures the bare parser. This is done before each measured round, because the machine may be
 * busy now and idle a second later.
 */
const measureBareParser = () =>
  measureCost(() => {
    for (const { body } of sampleFeeds) parseFeed(body.toString("utf8"));
  });
const medianCost = (costs: Cost[], key: keyof Cost) => median(costs.map((cost) => cost[key]));
function printCost(label: string, costs: Cost[], bare: Cost[], goal?: number): void {
  const ratio = (key: keyof Cost) => (medianCost(bare, key) / medianCost(costs, key)).toFixed(3);
  const speed = perSecond(itemsPerRound, medianCost(costs, "time"));
  console.log(
    `${label.padEnd(39)} ${speed.padStart(14)}  ${ratio("time")} of bare${goal ? ` (goal ${goal})` : ""}, by CPU time ${ratio("cpu")}`,
  );
}

/**
 * Measures several rounds, which read and store different feeds in the same database. Like a
 * refresh, a round reads feeds in worker threads while a batch is being stored.
 */
async function storeRounds(name: string, database: OpenDatabase, goal: number): Promise<void> {
  const { db } = database;
  const [costs, bare]: [Cost[], Cost[]] = [[], []];
  for (let round = 0; round < rounds; round += 1) {
    const waitingFeeds = createFeeds(round * feedsPerRound);
    bare.push(await measureBareParser());
    const cpuBefore = await readCpuSeconds(database);
    const time = await measureSeconds(async () => {
      const titles = loadRecentTitles(db, now);
      const store = createStore(db, () => titles);
      const worker = async () => {
        for (let feed = waitingFeeds.shift(); feed; feed = waitingFeeds.shift()) {
          const result = await readFeedInWorker(workers.run, { ...response, body: feed.body }, now);
          if (result.kind !== "items") throw new Error(result.detail);
          await store({ state: createState(feed.id), items: result.items, now });
        }
      };
      await Promise.all(Array.from({ length: concurrentVisits }, worker));
    });
    costs.push({ time, cpu: (await readCpuSeconds(database)) - cpuBefore });
  }
  printCost(`read and stored, ${name}, first round`, costs.slice(0, 1), bare.slice(0, 1), goal);
  printCost(`read and stored, ${name}, later rounds`, costs.slice(1), bare.slice(1), goal);
}

await measureBareParser();
const [bareCosts, readCosts]: [Cost[], Cost[]] = [[], []];
for (let round = 0; round <= rounds; round += 1) {
  bareCosts.push(await measureBareParser());
  readCosts.push(await measureCost(() => sampleFeeds.map(({ body }) => readFeedItems(body))));
}
printCost("bare parser", bareCosts, bareCosts);
printCost("read, clean and identify", readCosts, bareCosts);

const pgliteDatabase = await openNamedDatabase("first");
await storeRounds("PGlite", pgliteDatabase, 0.12);
await pgliteDatabase.close();
const postgres = await startPostgres({ fsync: true });
const postgresDatabase = await openNamedDatabase(
  "",
  await createDatabase(postgres.url("postgres")),
);
await storeRounds("Postgres", postgresDatabase, 0.2);
await postgresDatabase.close();
await postgres.stop();
if (process.argv.includes("--quick")) {
  await rm(folder.path, { recursive: true, force: true });
  process.exit();
}

const server = fork(new URL("./support/feed-server.ts", import.meta.url), {
  stdio: ["ignore", "pipe", "inherit", "ipc"],
});
const [printed]: Buffer[] = await once(server.stdout ?? server, "data");
const host = `127.0.0.1:${printed?.toString("utf8").trim()}`;
// Each feed has its own host, as in the real world: every IP address of 127.0.0.0/8 is this
// machine.
const feedUrls = Array.from(
  { length: feedCount },
  (_, feed) => `http://127.0.${feed >> 7}.${(feed & 127) + 1}:${host.split(":")[1]}/${feed}`,
);
const sections = sectionsFile.parse(
  JSON.stringify({
    places: [],
    widgetPoster: { file: "a.svg", width: 2, height: 1 },
    sections: {
      all: {
        heading: "A",
        intro: "A",
        description: "A",
        feeds: {
          all: {
            title: "A",
            description: "A",
            sources: feedUrls.map((url, feed) => ({ name: `feed ${feed}`, url })),
          },
        },
      },
    },
  }),
);
if (!sections.ok) throw new Error(JSON.stringify(sections.problems[0]));
const refreshDatabase = await openNamedDatabase("second");
let currentMs = now.getTime();
const site = {
  read: <T>(file: SiteFile<T>) =>
    file.path === sectionsFile.path ? (sections.value as T) : (null as T),
  readAll: () => [],
};
const tools = {
  runInWorker: workers.run,
  db: refreshDatabase.db,
  site,
  clock: () => new Date(currentMs),
  userAgent: "Harborline bench",
  fetch: createSafeFetch(feedUrls.map((url) => new URL(url).hostname)),
};
let peakRss = 0;
const memoryTimer = setInterval(() => {
  peakRss = Math.max(peakRss, process.memoryUsage().rss);
}, 50);
const rssBefore = process.memoryUsage().rss;
const firstSeconds = await measureSeconds(async () => {
  const outcomes = await refreshFeeds(tools);
  const stored = outcomes.reduce((sum, outcome) => sum + outcome.fresh, 0);
  console.log(`first visit to ${feedCount} feeds: ${stored} stored of ${feedCount * itemsPerFeed}`);
});
console.log(
  `  ${firstSeconds.toFixed(1)} s, memory ${Math.round(rssBefore / 1e6)} MB before, peak ${Math.round(peakRss / 1e6)} MB`,
);
currentMs += 24 * 60 * 60 * 1000;
const secondSeconds = await measureSeconds(() => refreshFeeds(tools));
console.log(
  `second visit, nothing new: ${secondSeconds.toFixed(1)} s, ${(secondSeconds / firstSeconds).toFixed(3)} of the first (goal under 0.1)`,
);
clearInterval(memoryTimer);
await workers.close();
server.disconnect();
await refreshDatabase.close();
await rm(folder.path, { recursive: true, force: true });
