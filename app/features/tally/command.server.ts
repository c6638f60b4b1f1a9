import { formatCount, formatTable } from "../../lib/newsroom/printing.ts";
import { type Command, type CommandContext, verb } from "../../platform/command.ts";
import type { Feature } from "../../platform/feature.ts";
import { siteSettingsFile } from "../brand/files.server.ts";
import { redirectsFile } from "../redirects/files.server.ts";
import { findNewPath } from "../redirects/rows.server.ts";
import { listTallies, type TallyCount, tallyRetentionDays } from "./tally.server.ts";

const defaultDays = 30;
const maxShown = 25;
const indent = "  ";

/** The period in words. It includes today, so one day is only today. */
const formatPeriod = (days: number) => (days === 1 ? "today" : `in the last ${days} days`);

const daysOption = {
  type: "integer",
  value: "number",
  min: 1,
  max: tallyRetentionDays,
  description: `how many days to look back; ${defaultDays} by default`,
} as const;

/** `features` know which page a reader probably looked for at a missing path. */
export const createReportCommand = (features: () => Pick<Feature, "suggestPath">[]): Command => ({
  name: "report",
  group: "Statistics",
  summary:
    "Show what readers search for, what they do not find, and which missing pages they request.",
  examples: [
    "report searches",
    "report searches --days 7",
    "report missing --days 90",
    "report missing --json",
  ],
  verbs: {
    searches: verb({
      summary: "Show what readers search for, and which searches had no results.",
      options: { days: daysOption },
      run: (context, { days = defaultDays }) => reportSearches(days, context),
    }),
    missing: verb({
      summary: "Show which missing pages readers request.",
      options: { days: daysOption },
      run: (context, { days = defaultDays }) => reportMissing(days, context, features()),
    }),
  },
});

async function reportSearches(days: number, context: CommandContext): Promise<undefined> {
  const all = await readTallies("search", days, context);
  const withoutResult = await readTallies("unanswered", days, context);
  const counts = new Map(withoutResult.map(({ key, count }) => [key, count]));
  context.result(
    all.map(({ key, count }) => ({
      words: key,
      asked: count,
      withoutResult: counts.get(key) ?? 0,
    })),
  );
  if (all.length === 0) {
    context.print(`There were no searches ${formatPeriod(days)}.`);
    return;
  }
  const head = ["searches", "words"];
  printTallies(`Most frequent searches ${formatPeriod(days)}`, head, all, context);
  context.print("");
  if (withoutResult.length === 0) {
    context.print("Every search had results.");
    return;
  }
  const title = "Searches without results for all words, as readers typed them";
  printTallies(title, head, withoutResult, context);
}

async function reportMissing(
  days: number,
  context: CommandContext,
  features: Pick<Feature, "suggestPath">[],
): Promise<undefined> {
  const paths = await readTallies("missing", days, context);
  const suggestions = await suggestPaths(features, paths.slice(0, maxShown), context);
  context.result(
    paths.map(({ key, count }) => ({
      path: key,
      asked: count,
      suggestion: suggestions.get(key) ?? null,
    })),
  );
  if (paths.length === 0) {
    context.print(`There were no requests for missing pages ${formatPeriod(days)}.`);
    return;
  }
  const title = `Missing pages that readers requested ${formatPeriod(days)}`;
  printTallies(title, ["requests", "path"], paths, context);
  if (suggestions.size === 0) return;
  context.print("\nTo redirect readers, add these lines to redirects.yaml if they are right:\n");
  for (const { key, count } of paths)
    if (suggestions.has(key))
      context.print(
        `  ${key}: ${suggestions.get(key)}  # requested ${formatCount(count, "time")} ${formatPeriod(days)}`,
      );
}

async function suggestPaths(
  features: Pick<Feature, "suggestPath">[],
  paths: TallyCount[],
  context: CommandContext,
): Promise<Map<string, string>> {
  const services = await context.services();
  const site = await context.readSite([redirectsFile]);
  const suggestions = new Map<string, string>();
  for (const { key } of paths) {
    if ((await findNewPath({ site, db: services.db }, key)) !== null) continue;
    for (const { suggestPath } of features) {
      const suggestion = await suggestPath?.(key, services);
      if (!suggestion || suggestion === key) continue;
      suggestions.set(key, suggestion);
      break;
    }
  }
  return suggestions;
}

async function readTallies(
  kind: Parameters<typeof listTallies>[3],
  days: number,
  context: CommandContext,
): Promise<TallyCount[]> {
  // Includes what the server has counted in the last seconds.
  if (context.isServing) await (await context.services()).tally.flush();
  const { timeZone } = (await context.readSite([siteSettingsFile])).read(siteSettingsFile);
  return listTallies(await context.database(), context.clock, timeZone, kind, days);
}

function printTallies(
  title: string,
  head: string[],
  rows: TallyCount[],
  context: CommandContext,
): void {
  context.print(`${title}:\n`);
  const shown = rows.slice(0, maxShown).map((row) => [String(row.count), row.key]);
  const columns = context.columns === null ? null : context.columns - indent.length;
  for (const line of formatTable(head, shown, columns)) context.print(indent + line);
  if (rows.length > maxShown)
    context.print(`  … and ${rows.length - maxShown} more. Use --json to see them all.`);
}
