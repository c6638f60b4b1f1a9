// Measures whether other work slows down readers: `npm run bench:interference` prints one table.
// `--only <part of a name>` runs the rows whose name contains it, and can be repeated. `--data
// <folder>` stores the prepared data there for the next run. Set DATABASE_URL (of an empty database
// whose owner may create others) to measure Postgres instead of the built-in database.
//
// Each row starts its own server on a copy of the same data: 100,000 headlines and 10,000
// subscribers. Readers request (a) a page from the page cache and (b) a page that is rendered for
// each of them: the confirmation page of the newsletter, which looks up a token in the database.
// Its query and render are fast, so that the benchmark measures the waiting and not the work.
import { fork } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import { sql } from "drizzle-orm";
import pg from "pg";
import { parse, stringify } from "yaml";
import { z } from "zod";
import { feedItems, headlines } from "../app/features/feeds/schema.server.ts";
import { subscribers } from "../app/features/newsletter/schema.server.ts";
import { learnWords } from "../app/features/search/index/spelling.server.ts";
import { searchProgress } from "../app/features/search/schema.server.ts";
import { queryRows } from "../db/backup/dump.ts";
import { openDatabase } from "../db/client.ts";
import type { Database } from "../db/database.ts";
import { buildIfNeeded } from "../server/process/build.ts";
import { claimDataFolder, sendCommand } from "../server/process/channel.ts";
import { type RunningServer, startServer, temporaryFolder } from "../tests/support/server.ts";
import { startSmtpServer } from "../tests/support/smtp-server.ts";
import { startExternalServers } from "./support/external-servers.ts";
import { fillHeadlines, paperCount } from "./support/headline-rows.ts";
import type { Measured, ResponseTimes } from "./support/interference-readers.ts";
import {
  feedAddresses,
  type Outcome,
  type Row,
  rows,
  type Stage,
} from "./support/interference-rows.ts";

const headlineCount = 100_000;
const subscriberCount = 10_000;
const pages = { memory: "/about", rendered: "/newsletter/confirm?token=reader-" };
const warmUpMs = 4_000;
const rowMs = 9_000;
/** A row that has not finished after this time is stopped. */
const maxRowMs = 30_000;
const goals = { memoryMs: 20, memoryRatio: 3, renderedMs: 250 };

type Result = { row: Row; measured: Measured; outcome: Outcome; ms: number; hasCrashed: boolean };

const { only, data: preparedFolder } = parseArgs({
  options: { only: { type: "string", multiple: true, default: [] }, data: { type: "string" } },
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
const folder = await temporaryFolder();
const template = preparedFolder ?? join(folder.path, "template");
const data = join(folder.path, "data");
const siteFolder = join(folder.path, "sites/baltimore");
const databaseUrl = process.env.DATABASE_URL;
const externalServers = await startExternalServers();
const smtp = await startSmtpServer();
const results: Result[] = [];
try {
  cpSync("sites/baltimore", siteFolder, { recursive: true });
  // The server does not send a newsletter that contains only samples.
  const story = join(siteFolder, "news/public-markets.md");
  await writeFile(story, (await readFile(story, "utf8")).replace("sample: true\n", ""));
  if (!existsSync(template)) await prepareData();
  for (const row of selectedRows) {
    // Continue after an error: the other rows are still worth measuring.
    const result = await measure(row).catch((error: unknown) => {
      console.error(`${row.name}: not measured:`, error);
      return null;
    });
    if (!result) continue;
    results.push(result);
    console.log(`${row.name}: ${toCells(result).slice(1).join(" | ")}`);
  }
  printTable();
} finally {
  externalServers.close();
  await smtp.close();
  await folder.remove();
}
// Exit explicitly: a command whose server was stopped may still be waiting.
process.exit(results.length === selectedRows.length ? 0 : 1);

/** Prepares the data that every row starts with, as a server leaves it after its first start. */
async function prepareData(): Promise<void> {
  const began = performance.now();
  const unfinished = `${template}.unfinished`;
  rmSync(unfinished, { recursive: true, force: true });
  const { db, close } = await openDatabase({
    dataDir: unfinished,
    databaseUrl,
    onError: console.error,
  });
  const now = new Date();
  // Dropping the index and learning the words in one statement is ten times as fast as inserting
  // headlines one by one.
  const createIndexSql = await readIndexDefinition(db, "headlines_search_vector");
  await db.execute(sql`drop index headlines_search_vector`);
  await fillHeadlines(db, 0, headlineCount, now);
  await db.execute(sql.raw(createIndexSql));
  await db.execute(
    sql`insert into ${feedItems} ("sourceId", key, "headlineId", link, title, summary, "shownAt")
        select "sourceId", identity, id, link, title, summary, "shownAt" from ${headlines}`,
  );
  await learnWords(
    db,
    sql`select to_tsvector('harborline_words', search_plain(${headlines.title})) as vector from ${headlines}`,
  );
  await db.insert(searchProgress).values({ table: "headlines", upTo: headlineCount });
  await db.insert(subscribers).values(
    Array.from({ length: subscriberCount }, (_, index) => ({
      email: `reader${index}@example.com`,
      state: "confirmed" as const,
      createdAt: now,
      confirmedAt: now,
    })),
  );
  await close();
  await writeSources([], false);
  const server = await start(unfinished, databaseUrl, "pipe");
  while (!server.output().includes("search.indexed"))
    await once(server.process.stderr ?? server.process, "data");
  await server.stop();
  renameSync(unfinished, template);
  console.log(`prepared in ${Math.round((performance.now() - began) / 1_000)} s`);
}

async function readIndexDefinition(db: Database, name: string): Promise<string> {
  const [row] = await queryRows(
    db,
    sql`select pg_get_indexdef(${name}::regclass) as definition`,
    z.object({ definition: z.string() }),
  );
  return row?.definition ?? "";
}

/**
 * Writes site files whose only sources are the newspapers of the prepared headlines and the sources
 * of the row.
 */
async function writeSources(
  feeds: { name: string; url: string }[],
  hasCalendars: boolean,
): Promise<void> {
  const editSiteFile = async (file: string, edit: (value: Sections & Events) => void) => {
    const value = parse(await readFile(join("sites/baltimore", file), "utf8"));
    edit(value);
    await writeFile(join(siteFolder, file), stringify(value));
  };
  const papers = Array.from({ length: paperCount }, (_, number) => ({
    name: `Paper ${number}`,
    url: `http://127.0.0.1:${externalServers.port}/quiet/${number}`,
  }));
  const sources: Record<string, unknown[]> = { local: papers, national: feeds };
  await editSiteFile("sections.yaml", ({ sections }) => {
    for (const [id, section] of Object.entries(sections))
      for (const feed of Object.values(section.feeds)) feed.sources = sources[id] ?? [];
  });
  await editSiteFile("events.yaml", (events) => {
    events.sources = hasCalendars
      ? externalServers.calendars.map(({ name }) => {
          const url = `http://127.0.0.1:${externalServers.port}/calendar/${name}`;
          return { id: name, name, url, page: url, category: "Music" };
        })
      : [];
  });
}

type Sections = { sections: Record<string, { feeds: Record<string, { sources: unknown[] }> }> };
type Events = { sources: unknown[] };

function start(
  dataDir: string,
  database: string | undefined,
  log: "pipe" | "ignore",
): Promise<RunningServer> {
  const env = {
    DATA_DIR: dataDir,
    SITES_DIR: join(folder.path, "sites"),
    SMTP_URL: smtp.url,
    TRUST_PROXY: "1",
    FETCH_ALLOW: ["127.0.0.1", ...feedAddresses].join(),
    ...(database === undefined ? {} : { DATABASE_URL: database }),
  };
  return startServer(env, "server/main.ts", log);
}

/** Copies the prepared data for one row. Returns the URL of the database if it is Postgres. */
async function copyData(): Promise<string | undefined> {
  rmSync(data, { recursive: true, force: true });
  cpSync(template, data, { recursive: true });
  if (databaseUrl === undefined) return undefined;
  const name = new URL(databaseUrl).pathname.slice(1);
  const client = new pg.Client({ connectionString: new URL("/postgres", databaseUrl).href });
  await client.connect();
  await client.query(`drop database if exists "${name}_row" with (force)`);
  await client.query(`create database "${name}_row" template "${name}"`);
  await client.end();
  return new URL(`/${name}_row`, databaseUrl).href;
}

async function newsroom(
  args: string[],
  onLine: (line: string) => void = () => {},
): Promise<string[]> {
  const claim = await claimDataFolder(data);
  if (claim.kind !== "in use") {
    await claim.channel.release();
    throw new Error("The server has not locked its data folder.");
  }
  const printed: string[] = [];
  await sendCommand(claim.socket, args, (line) => {
    printed.push(line);
    onLine(line);
  });
  return printed;
}

async function measure(row: Row): Promise<Result> {
  externalServers.isHostile = false;
  externalServers.requestedCalendars.clear();
  await writeSources(row.feeds?.(externalServers.port) ?? [], row.hasCalendars ?? false);
  const server = await start(data, await copyData(), "ignore");
  let hasCrashed = false;
  const ended = once(server.process, "exit").then(() => {
    hasCrashed = true;
  });
  const port = Number(new URL(server.url).port);
  const scratch = join(folder.path, "scratch");
  mkdirSync(scratch, { recursive: true });
  const stage: Stage = {
    port,
    siteFolder,
    externalServers,
    smtp,
    scratch,
    newsroom,
  };
  const readers = fork(new URL("./support/interference-readers.ts", import.meta.url), [
    String(port),
    pages.memory,
    pages.rendered,
  ]);
  try {
    await pause(warmUpMs);
    const load = await row.start(stage);
    readers.send({ begin: true });
    const began = performance.now();
    await pause(rowMs);
    if (load.finished) await Promise.race([load.finished, ended, pause(maxRowMs - rowMs)]);
    const elapsed = performance.now() - began;
    readers.send({ end: true, timeoutMs: hasCrashed ? 0 : Math.max(1_000, maxRowMs - elapsed) });
    const [measured]: Measured[] = await once(readers, "message");
    if (!measured) throw new Error("The readers returned no measurements.");
    const outcome = await load.end();
    return { row, measured, outcome, hasCrashed, ms: performance.now() - began };
  } finally {
    readers.kill();
    if (!hasCrashed) await server.stop("SIGKILL");
    rmSync(scratch, { recursive: true, force: true });
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

function toCells(result: Result): string[] {
  const { row, measured, outcome, ms, hasCrashed } = result;
  const { memory, rendered, latenessP99 } = measured;
  const pending = memory.pending + rendered.pending;
  const failed = memory.failed + rendered.failed;
  const notes = [
    outcome.note,
    hasCrashed ? "the server crashed" : "",
    !hasCrashed && pending > 0 ? `stopped after ${Math.round(ms / 1_000)} s` : "",
    failed > 0 ? `${failed} × no page` : "",
  ];
  return [
    row.name,
    formatTime(memory, 0.5),
    formatTime(memory, 0.99),
    formatTime(rendered, 0.5),
    formatTime(rendered, 0.99),
    outcome.served.toLocaleString("en-US"),
    outcome.refused.toLocaleString("en-US"),
    formatGoals(result),
    latenessP99.toFixed(1),
    notes.filter((note) => note !== "").join("; "),
  ];
}

function printTable(): void {
  const head = [
    "during",
    "(a) p50 ms",
    "(a) p99 ms",
    "(b) p50 ms",
    "(b) p99 ms",
    "served",
    "refused",
    "goals (a), (b)",
    "readers late, p99 ms",
    "notes",
  ];
  const table = [head, ...results.map(toCells)];
  const widths = head.map((_, column) =>
    Math.max(...table.map((cells) => cells[column]?.length ?? 0)),
  );
  const text = table.map(
    (cells) => `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |`,
  );
  text.splice(1, 0, `| ${widths.map((width) => "-".repeat(width)).join(" | ")} |`);
  console.log(`\n${text.join("\n")}\n`);
  console.log(
    `(a) ${pages.memory} from the page cache, goal: p99 at most ${goals.memoryMs} ms or ${goals.memoryRatio} times that of the idle server.`,
  );
  console.log(
    `(b) ${pages.rendered}…, rendered for each reader, goal: p99 at most ${goals.renderedMs} ms.`,
  );
}
