// Compares searches in 100,000 headlines to searches in 1,000: `npm run bench:search`. Set
// DATABASE_URL (of an empty database) to measure Postgres instead of the built-in database.
import { readFileSync } from "node:fs";
import { sql } from "drizzle-orm";
import { z } from "zod";
import { headlines } from "../app/features/feeds/schema.server.ts";
import { search, suggest } from "../app/features/search/find/find.server.ts";
import { learnFromHeadlines, syncDocuments } from "../app/features/search/index/write.server.ts";
import { openDatabase } from "../db/client.ts";
import type { Database, OpenDatabase } from "../db/database.ts";
import { temporaryFolder } from "../tests/support/server.ts";
import { median, roundToThousandths } from "./support/statistics.ts";

const roundsPerBatch = 5;
const batches = 9;
/** These batches are not counted, because the code is not compiled yet. */
const warmUpBatches = 2;
const now = new Date("2026-11-15T12:00:00Z");

/** A word that is in `times` headlines, regardless of the total number of headlines. */
const rareWord = { word: "oystercatcher", times: 30 };
/** A word that is in every fourth headline. */
const commonWord = "harbor";
const syllables = "ba co du fe gi ha jo ku le mi no pa qui ro su ta ve wo xi za".split(" ");

/**
 * Returns one of four thousand words. As in any language, some are far more frequent than others.
 */
function pickWord(seed: number): string {
  const random = ((seed * 2_654_435_761) >>> 0) / 2 ** 32;
  const rank = Math.floor(4_000 * random ** 3);
  const syllable = (number: number) => syllables[number % syllables.length] ?? "";
  return syllable(rank) + syllable(Math.floor(rank / 20)) + syllable(Math.floor(rank / 400));
}

const rowsPerInsert = 1_000;

/**
 * Stores the headlines with the numbers from `from` up to but not including `to`, spread over two
 * years.
 */
async function fill(db: Database, from: number, to: number): Promise<void> {
  for (let start = from; start < to; start += rowsPerInsert) {
    await db.insert(headlines).values(
      Array.from({ length: Math.min(rowsPerInsert, to - start) }, (_, index) => {
        const seed = start + index;
        const words = Array.from({ length: 8 }, (_, n) => pickWord(seed * 31 + n * 17 + n));
        if (seed < rareWord.times) words[2] = rareWord.word;
        if (seed % 4 === 0) words[5] = commonWord;
        const publishedAt = new Date(now.getTime() - ((seed * 7_919) % 1_000_003) * 60_000);
        return {
          identity: `https://paper.example/${seed}`,
          sourceId: `paper-${seed % 10}`,
          title: words.join(" "),
          link: `https://paper.example/${seed}`,
          publishedAt,
          firstSeenAt: publishedAt,
          shownAt: publishedAt,
          summary: Array.from({ length: 25 }, (_, n) => pickWord(seed + n * 13)).join(" "),
        };
      }),
    );
  }
  // Postgres runs ANALYZE automatically after a while. The built-in database never does, so the
  // benchmark does not either.
  if (process.env.DATABASE_URL) await db.execute(sql`analyze`);
}

const data = await temporaryFolder();
const database = await openDatabase({
  dataDir: data.path,
  databaseUrl: process.env.DATABASE_URL,
  onError: console.error,
});
const { db } = database;
const library = {
  db,
  now,
  timeZone: "America/New_York",
  getSourceName: () => "Paper",
  toTitle: (title: string) => title,
  ownNames: ["harborline"],
};
const searchFor = (query: string) => () => search(library, { query, kind: null, page: 1 });
const searches: Record<string, () => Promise<unknown>> = {
  [`a selective word (${rareWord.word})`]: searchFor(rareWord.word),
  "a prefix of it (oysterc)": searchFor("oysterc"),
  "misspelled (oystrecatcher)": searchFor("oystrecatcher"),
  [`a word in every fourth headline (${commonWord})`]: searchFor(commonWord),
  "a word in every second headline (word 0)": searchFor(pickWord(0)),
  "two common words": searchFor(`${commonWord} ${pickWord(0)}`),
  "three letters (bab)": searchFor("bab"),
  "suggestions (harb)": () => suggest(library, "harb"),
  "suggestions for two letters (ba)": () => suggest(library, "ba"),
};

/** Reads the CPU seconds of this process and, with Postgres, of our connections there. */
async function readCpuSeconds({ kind, executeSql }: OpenDatabase): Promise<number> {
  const { user, system } = process.cpuUsage();
  const own = (user + system) / 1e6;
  if (kind === "pglite") return own;
  const query = "select pid from pg_stat_activity where datname = current_database()";
  const { rows } = await executeSql(query);
  const nanoseconds = z
    .array(z.object({ pid: z.number() }))
    .parse(rows)
    .map(({ pid }) => Number(readFileSync(`/proc/${pid}/schedstat`, "utf8").split(" ")[0]));
  return own + nanoseconds.reduce((sum, time) => sum + time, 0) / 1e9;
}

type Cost = { cpuMs: number; medianMs: number; worstMs: number };

async function measure(): Promise<Record<string, Cost>> {
  const costs: Record<string, Cost> = {};
  for (const [name, runSearch] of Object.entries(searches)) {
    const [times, cpuTimes]: [number[], number[]] = [[], []];
    for (let batch = 0; batch < batches; batch += 1) {
      const cpuBefore = await readCpuSeconds(database);
      for (let round = 0; round < roundsPerBatch; round += 1) {
        const began = performance.now();
        await runSearch();
        times.push(performance.now() - began);
      }
      cpuTimes.push((await readCpuSeconds(database)) - cpuBefore);
    }
    const warmTimes = times.slice(warmUpBatches * roundsPerBatch);
    costs[name] = {
      cpuMs: (median(cpuTimes.slice(warmUpBatches)) * 1000) / roundsPerBatch,
      medianMs: median(warmTimes),
      worstMs: Math.max(...warmTimes),
    };
  }
  return costs;
}

try {
  const word = {
    id: "word",
    kind: "page" as const,
    link: "/",
    title: rareWord.word,
    detail: "",
    summary: "",
    body: "",
    at: null,
    isSample: false,
    aliases: "",
    keywords: "",
    version: "1",
  };
  await syncDocuments(db, [word], async (documents) => documents);
  await fill(db, 0, 1_000);
  await learnFromHeadlines(db);
  const few = await measure();
  const began = performance.now();
  await fill(db, 1_000, 100_000);
  console.log(`filled: ${Math.round(99_000 / ((performance.now() - began) / 1000))} headlines/s`);
  const many = await measure();
  const toRow = (name: string) => {
    const [one, other] = [few[name], many[name]];
    return one && other
      ? {
          "1,000, CPU ms": roundToThousandths(one.cpuMs),
          "100,000, CPU ms": roundToThousandths(other.cpuMs),
          "ratio, by CPU time": roundToThousandths(other.cpuMs / one.cpuMs),
          "1,000, ms": roundToThousandths(one.medianMs),
          "100,000, ms": roundToThousandths(other.medianMs),
          "100,000, worst": roundToThousandths(other.worstMs),
        }
      : {};
  };
  console.table(Object.fromEntries(Object.keys(searches).map((name) => [name, toRow(name)])));
} finally {
  await database.close();
  await data.remove();
}
