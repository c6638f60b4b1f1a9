import { parseArgs } from "node:util";
import { brandFile } from "../../app/features/brand/files.server.ts";
import { type Tallied, tallied } from "../../app/features/tally/report.server.ts";
import { tallyLifetimeDays } from "../../app/features/tally/tally.server.ts";
import { readSite } from "../site/site-files.ts";
import type { Command, Desk } from "./commands.ts";
import { table } from "./printing.ts";

const usualDays = 30;
const mostShown = 25;
const indent = "  ";

export const reportCommand: Command = {
  name: "report",
  summary: "Shows what readers search for, what they do not find, and which missing pages they ask for.",
  usage: "report searches | missing [--days <number>]",
  examples: [
    "report searches",
    "report searches --days 7",
    "report missing --days 90",
    "report missing --json",
  ],
  async run([what, ...options], desk) {
    const days = daysOf(options);
    if (what !== "searches" && what !== "missing")
      return unclear('Say which: "report searches" or "report missing".', desk);
    if (days === null)
      return unclear(
        `Counts are kept for ${tallyLifetimeDays} days: say "--days" with a number from 1 to ${tallyLifetimeDays}.`,
        desk,
      );
    return what === "searches" ? searches(days, desk) : missing(days, desk);
  },
};

async function searches(days: number, desk: Desk): Promise<number> {
  const asked = await read("search", days, desk);
  const unanswered = await read("unanswered", days, desk);
  const without = new Map(unanswered.map(({ key, count }) => [key, count]));
  desk.answer(
    asked.map(({ key, count }) => ({ words: key, asked: count, withoutResult: without.get(key) ?? 0 })),
  );
  if (asked.length === 0) desk.print(`Nobody has searched for anything in the last ${days} days.`);
  else {
    print(`Most asked in the last ${days} days`, "asked", "words", asked, desk);
    desk.print("");
    if (unanswered.length === 0) desk.print("Everything that was asked had a result.");
    else
      print(
        "Asked without result (of all the words, as they were typed)",
        "asked",
        "words",
        unanswered,
        desk,
      );
  }
  return 0;
}

async function missing(days: number, desk: Desk): Promise<number> {
  const paths = await read("missing", days, desk);
  desk.answer(paths.map(({ key, count }) => ({ path: key, asked: count })));
  if (paths.length === 0) desk.print(`Nobody has asked for a missing page in the last ${days} days.`);
  else print(`Missing pages, asked for in the last ${days} days`, "asked", "path", paths, desk);
  return 0;
}

async function read(kind: Parameters<typeof tallied>[3], days: number, desk: Desk): Promise<Tallied[]> {
  const { timeZone } = (await readSite(desk.siteFolder, [brandFile])).read(brandFile);
  return tallied(await desk.database(), () => new Date(), timeZone, kind, days);
}

function print(title: string, count: string, key: string, rows: Tallied[], desk: Desk): void {
  desk.print(`${title}:\n`);
  const shown = rows.slice(0, mostShown).map((row) => [String(row.count), row.key]);
  const columns = desk.columns === null ? null : desk.columns - indent.length;
  for (const line of table([count, key], shown, columns)) desk.print(indent + line);
  if (rows.length > mostShown) desk.print(`  … and ${rows.length - mostShown} more: --json shows all.`);
}

/** Null for what is no number of days that we could know of. */
function daysOf(options: string[]): number | null {
  const { values, positionals } = parseArgs({
    args: options,
    options: { days: { type: "string", default: String(usualDays) } },
    allowPositionals: true,
    strict: false,
  });
  const { days: given, ...others } = values;
  const days = Number(given);
  const isGood = positionals.length + Object.keys(others).length === 0 && typeof given === "string";
  return isGood && Number.isInteger(days) && days >= 1 && days <= tallyLifetimeDays ? days : null;
}

function unclear(line: string, desk: Desk): number {
  desk.print(line);
  return 2;
}
