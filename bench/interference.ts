// Measures whether other work slows down readers: `npm run bench:interference` prints one table.
// `--only <part of a name>` runs the rows whose name contains it, and can be repeated.
//
// Each row starts its own server on a copy of the same data, 100,000 headlines. Readers request (a) a page from the page cache and (b) a page that is rendered for
// each of them: the confirmation page of the newsletter, which looks up a token in the database.
// Its query and render are fast, so that the benchmark measures the waiting and not the work.
import { fork } from "node:child_process";
import { once } from "node:events";
import { cpSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import { sql } from "drizzle-orm";
import { parse, stringify } from "yaml";
import { z } from "zod";
import { feedItems, headlines } from "../app/features/feeds/schema.server.ts";
import { learnWords } from "../app/features/search/index/spelling.server.ts";
import { searchProgress } from "../app/features/search/schema.server.ts";
import { queryRows } from "../db/backup/dump.ts";
import { openDatabase } from "../db/client.ts";
import { buildIfNeeded } from "../server/process/build.ts";
import { startCity, type TestCity } from "../tests/support/city.ts";
import { temporaryFolder } from "../tests/support/server.ts";
import { fillHeadlines, paperCount } from "./support/headline-rows.ts";
import type { Measured, ResponseTimes } from "./support/interference-readers.ts";
import { feedCount, type Outcome, type Row, rows } from "./support/interference-rows.ts";

const headlineCount = 100_000;
const pages = { memory: "/about", rendered: "/newsletter/confirm?token=reader-" };
const warmUpMs = 4_000;
const rowMs = 9_000;
/** How long requests without a response are waited for at the end of a row. */
const maxWaitMs = 20_000;
const goals = { memoryMs: 20, memoryRatio: 3, renderedMs: 250 };

type Result = { row: Row; measured: Measured; outcome: Outcome; hasCrashed: boolean };

const { only } = parseArgs({
  options: { only: { type: "string", multiple: true, default: [] } },
}).values;
const selectedRows = rows.filter(
  ({ name }) =>
    only.length === 0 || only.some((part) => name.toLowerCase().includes(part.toLowerCase())),
);
if (selectedRows.length === 0) {
  console.error(
    `No row contains "${only.join(", ")}". The rows are: ${rows.map(({ name }) => name).join("; ")}.`,
  );
  process.exit(2);
}

await buildIfNeeded(console.log);
const template = await temporaryFolder();
const feedServer = fork(new URL("./support/feed-server.ts", import.meta.url));
const [feedPort]: number[] = await once(feedServer, "message");
const results: Result[] = [];
try {
  await prepareData();
  for (const row of selectedRows) {
    // Continue after an error: the other rows are still worth measuring.
    const result = await measure(row).catch((error: unknown) => {
      console.error(`${row.name}: not measured:`, error);
      return null;
    });
    if (!result) continue;
    results.push(result);
    console.log(`${row.name}:`, toCells(result));
  }
  console.table(Object.fromEntries(results.map((result) => [result.row.name, toCells(result)])));
  console.log(
    `(a) ${pages.memory} from the page cache, goal: p99 at most ${goals.memoryMs} ms or ${goals.memoryRatio} times that of the idle server.`,
  );
  console.log(
    `(b) ${pages.rendered}…, rendered for each reader, goal: p99 at most ${goals.renderedMs} ms.`,
  );
} finally {
  feedServer.disconnect();
  await template.remove();
}
// Exit explicitly: a command whose server was stopped may still be waiting.
process.exit(results.length === selectedRows.length ? 0 : 1);

/** Prepares the data that every row starts with, as a server leaves it after its first start. */
async function prepareData(): Promise<void> {
  const began = performance.now();
  const city = await start({}, fillDatabase);
  await city.server.waitForOutput("search.indexed");
  await city.server.stop();
  cpSync(city.dataDir, template.path, { recursive: true });
  await city.close();
  console.log(`prepared in ${Math.round((performance.now() - began) / 1_000)} s`);
}

async function fillDatabase(dataDir: string): Promise<void> {
  const { db, close } = await openDatabase({ dataDir, onError: console.error });
  const now = new Date();
  // Dropping the index and learning the words in one statement is ten times as fast as inserting
  // headlines one by one.
  const [index] = await queryRows(
    db,
    sql`select pg_get_indexdef('headlines_search_vector'::regclass) as definition`,
    z.object({ definition: z.string() }),
  );
  await db.execute(sql`drop index headlines_search_vector`);
  await fillHeadlines(db, 0, headlineCount, now);
  await db.execute(sql.raw(index?.definition ?? ""));
  await db.execute(
    sql`insert into ${feedItems} ("sourceId", key, "headlineId", link, title, summary, "shownAt")
        select "sourceId", identity, id, link, title, summary, "shownAt" from ${headlines}`,
  );
  await learnWords(
    db,
    sql`select to_tsvector('harborline_words', search_plain(${headlines.title})) as vector from ${headlines}`,
  );
  await db.insert(searchProgress).values({ table: "headlines", upTo: headlineCount });
  await close();
}

/**
 * Starts a city whose only sources are the newspapers of the prepared headlines and the feeds of
 * the row. Every feed has its own IP address, as in the real world: the server visits sources of
 * the same host one at a time.
 */
function start(
  { hasFeeds }: Pick<Row, "hasFeeds">,
  prepareDataFolder: (dataDir: string) => Promise<void>,
): Promise<TestCity> {
  const feedAddress = (number: number) => `127.1.${number >> 7}.${(number & 127) + 1}`;
  const feedNumbers = Array.from({ length: hasFeeds ? feedCount : 0 }, (_, number) => number);
  const sources: Record<string, unknown[]> = {
    local: Array.from({ length: paperCount }, (_, number) => ({
      name: `Paper ${number}`,
      url: `http://127.0.0.1:${feedPort}/quiet-${number}`,
    })),
    national: feedNumbers.map((number) => ({
      name: `Feed ${number}`,
      url: `http://${feedAddress(number)}:${feedPort}/${number}`,
    })),
  };
  type Sections = { sections: Record<string, { feeds: Record<string, { sources: unknown[] }> }> };
  return startCity(
    {
      "sections.yaml": (source) => {
        const file: Sections = parse(source);
        for (const [id, section] of Object.entries(file.sections))
          for (const feed of Object.values(section.feeds)) feed.sources = sources[id] ?? [];
        return stringify(file);
      },
    },
    {
      TRUST_PROXY: "1",
      FETCH_ALLOW: ["127.0.0.1", ...feedNumbers.map(feedAddress)].join(),
    },
    {},
    prepareDataFolder,
  );
}

async function measure(row: Row): Promise<Result> {
  const city = await start(row, async (dataDir) =>
    cpSync(template.path, dataDir, { recursive: true }),
  );
  let hasCrashed = false;
  city.server.process.once("exit", () => {
    hasCrashed = true;
  });
  const port = Number(new URL(city.server.url).port);
  const readers = fork(new URL("./support/interference-readers.ts", import.meta.url), [
    String(port),
    pages.memory,
    pages.rendered,
  ]);
  try {
    await pause(warmUpMs);
    const endLoad = await row.start({ ...city, port });
    readers.send({ begin: true });
    await pause(rowMs);
    readers.send({ end: true, timeoutMs: hasCrashed ? 0 : maxWaitMs });
    const [measured]: Measured[] = await once(readers, "message");
    if (!measured) throw new Error("The readers returned no measurements.");
    return { row, measured, outcome: await endLoad(), hasCrashed };
  } finally {
    readers.kill();
    if (!hasCrashed) await city.server.stop("SIGKILL");
    await city.close();
  }
}

function quantile({ times }: ResponseTimes, share: number): number {
  return times[Math.floor(times.length * share)] ?? 0;
}

/** Formats a quantile. Adds "≥" if the time would have been longer without our timeout. */
function formatTime(waits: ResponseTimes, share: number): string {
  const ms = quantile(waits, share);
  const text = ms < 10 ? ms.toFixed(1) : Math.round(ms).toLocaleString("en-US");
  return waits.pending > waits.times.length * (1 - share) ? `≥ ${text}` : text;
}

function formatGoals({ measured: { memory, rendered }, hasCrashed }: Result): string {
  const alone = results.find(({ row }) => row.name === "alone");
  const memoryGoal = Math.max(
    goals.memoryMs,
    alone ? goals.memoryRatio * quantile(alone.measured.memory, 0.99) : 0,
  );
  const failed =
    memory.failed + rendered.failed + memory.pending + rendered.pending > 0 || hasCrashed;
  const meets = (waits: ResponseTimes, goal: number) =>
    !failed && quantile(waits, 0.99) <= goal ? "yes" : "no";
  return `${meets(memory, memoryGoal)}, ${meets(rendered, goals.renderedMs)}`;
}

function toCells(result: Result): Record<string, string> {
  const { measured, outcome, hasCrashed } = result;
  const { memory, rendered, latenessP99 } = measured;
  const failed = memory.failed + rendered.failed;
  const notes = [
    outcome.note,
    hasCrashed ? "the server crashed" : "",
    failed > 0 ? `${failed} × no page` : "",
  ];
  return {
    "(a) p50 ms": formatTime(memory, 0.5),
    "(a) p99 ms": formatTime(memory, 0.99),
    "(b) p50 ms": formatTime(rendered, 0.5),
    "(b) p99 ms": formatTime(rendered, 0.99),
    served: outcome.served.toLocaleString("en-US"),
    refused: outcome.refused.toLocaleString("en-US"),
    "goals (a), (b)": formatGoals(result),
    "client delay, p99 ms": latenessP99.toFixed(1),
    notes: notes.filter((note) => note !== "").join("; "),
  };
}
