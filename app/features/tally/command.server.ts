import { table } from "../../lib/newsroom/printing.ts";
import { type Command, type CommandContext, verb } from "../../platform/command.ts";
import { brandFile } from "../brand/files.server.ts";
import { listTallies, type TallyCount } from "./report.server.ts";
import { tallyLifetimeDays } from "./tally.server.ts";

const defaultDays = 30;
const maxShown = 25;
const indent = "  ";

const days = {
  type: "integer",
  value: "number",
  min: 1,
  max: tallyLifetimeDays,
  description: `how many days to look back, ${defaultDays} if it is not given`,
} as const;

export const reportCommand: Command = {
  name: "report",
  group: "Statistics",
  summary:
    "Shows what readers search for, what they do not find, and which missing pages they ask for.",
  examples: [
    "report searches",
    "report searches --days 7",
    "report missing --days 90",
    "report missing --json",
  ],
  verbs: {
    searches: verb({
      summary: "What readers search for, and what they search for without result.",
      options: { days },
      run: (_args, { days: count = defaultDays }, context) => searches(count, context),
    }),
    missing: verb({
      summary: "Which missing pages readers ask for.",
      options: { days },
      run: (_args, { days: count = defaultDays }, context) => missing(count, context),
    }),
  },
};

async function searches(days: number, context: CommandContext): Promise<number> {
  const asked = await read("search", days, context);
  const unanswered = await read("unanswered", days, context);
  const without = new Map(unanswered.map(({ key, count }) => [key, count]));
  context.result(
    asked.map(({ key, count }) => ({
      words: key,
      asked: count,
      withoutResult: without.get(key) ?? 0,
    })),
  );
  if (asked.length === 0)
    context.print(`Nobody has searched for anything in the last ${days} days.`);
  else {
    print(`Most asked in the last ${days} days`, "asked", "words", asked, context);
    context.print("");
    if (unanswered.length === 0) context.print("Everything that was asked had a result.");
    else
      print(
        "Asked without result (of all the words, as they were typed)",
        "asked",
        "words",
        unanswered,
        context,
      );
  }
  return 0;
}

async function missing(days: number, context: CommandContext): Promise<number> {
  const paths = await read("missing", days, context);
  context.result(paths.map(({ key, count }) => ({ path: key, asked: count })));
  if (paths.length === 0)
    context.print(`Nobody has asked for a missing page in the last ${days} days.`);
  else print(`Missing pages, asked for in the last ${days} days`, "asked", "path", paths, context);
  return 0;
}

async function read(
  kind: Parameters<typeof listTallies>[3],
  days: number,
  context: CommandContext,
): Promise<TallyCount[]> {
  const { timeZone } = (await context.readSite([brandFile])).read(brandFile);
  return listTallies(await context.database(), context.clock, timeZone, kind, days);
}

function print(
  title: string,
  count: string,
  key: string,
  rows: TallyCount[],
  context: CommandContext,
): void {
  context.print(`${title}:\n`);
  const shown = rows.slice(0, maxShown).map((row) => [String(row.count), row.key]);
  const columns = context.columns === null ? null : context.columns - indent.length;
  for (const line of table([count, key], shown, columns)) context.print(indent + line);
  if (rows.length > maxShown)
    context.print(`  … and ${rows.length - maxShown} more: --json shows all.`);
}
