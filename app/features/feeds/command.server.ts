import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { shortTimestamp } from "../../lib/dates.ts";
import { describeCause, forEachOnePerHost } from "../../lib/external/source-visits.server.ts";
import { fail, refuseCommand } from "../../lib/newsroom/command-error.ts";
import { replaceFile, tryFile } from "../../lib/newsroom/file-errors.server.ts";
import { formatCount } from "../../lib/newsroom/printing.ts";
import { forEach } from "../../lib/newsroom/selection.ts";
import { type Command, type CommandContext, verb } from "../../platform/command.ts";
import { siteSettingsFile, siteUserAgent } from "../brand/files.server.ts";
import { addSource } from "./add-source.server.ts";
import { checkFeed, findFeed, toSourceName } from "./check-feed.server.ts";
import { listActiveSources, sectionsFile } from "./files.server.ts";
import { explainSource, readSourceHealth } from "./health/health.server.ts";
import { type Outcome, refreshFeeds } from "./import/refresh.server.ts";

const readFiles = (context: CommandContext) => context.readSite([siteSettingsFile, sectionsFile]);
const readUserAgent = async (context: CommandContext) =>
  siteUserAgent((await readFiles(context)).read(siteSettingsFile));
const sourceIdDescription = 'the id of a source; "feeds list" shows the ids';
const missingSource = (id: string) =>
  `✗ There is no source "${id}". Run "./newsroom feeds list" to see all ids.`;

const listVerb = verb({
  summary: "List the sources and the state of each.",
  async run(context) {
    const site = await readFiles(context);
    const { timeZone } = site.read(siteSettingsFile);
    const sources = await readSourceHealth(await context.database(), site.read(sectionsFile));
    context.result(sources);
    context.table(
      ["source", "sections", "state", "items", "last success", "cause"],
      sources.map((source) => [
        source.id,
        source.sections.join(" "),
        source.state,
        String(source.items),
        source.lastSuccess ? shortTimestamp(source.lastSuccess, timeZone) : "never",
        source.cause ?? "",
      ]),
    );
    return sources.some(({ state }) => state === "failing") ? 1 : 0;
  },
});

function requireUrl(typed: string, wrong = "not a URL"): void {
  if (!URL.canParse(typed))
    refuseCommand(`"${typed}" is ${wrong}. Example: https://news.example.com/feed/`);
}

const checkVerb = verb({
  summary: "Fetch one feed, or all sources, without storing anything.",
  arguments: {
    feed: {
      description: "the URL of a feed, or the id of a source; all sources if you leave it out",
    },
  },
  run: (context, { feed }) => (feed === undefined ? checkAll(context) : checkOne(context, feed)),
});

async function checkOne(context: CommandContext, typed: string): Promise<undefined> {
  const site = await readFiles(context);
  const source = listActiveSources(site.read(sectionsFile)).find(({ id }) => id === typed);
  if (!source) requireUrl(typed, "neither the id of a source nor a URL");
  const userAgent = siteUserAgent(site.read(siteSettingsFile));
  const { url, check } = await findFeed(context, source?.url ?? typed, userAgent);
  context.result({ url, ...check });
  if (!check.ok) fail(`✗ ${url}\n    ${check.fault}`);
  context.print(
    `✓ ${url}: ${formatCount(check.items.length, "item")}. Readers would see the newest like this:`,
  );
  if (check.movedTo)
    context.print(`  It has moved permanently to ${check.movedTo}. Use that URL in sections.yaml.`);
  for (const { title, link, publishedAt, summary } of check.items.slice(0, 5)) {
    context.print(`\n  ${title}\n    ${publishedAt?.toISOString() ?? "no readable date"}  ${link}`);
    if (summary !== "") context.print(`    ${summary}`);
  }
}

async function checkAll(context: CommandContext): Promise<number> {
  const site = await readFiles(context);
  const userAgent = siteUserAgent(site.read(siteSettingsFile));
  const sources = listActiveSources(site.read(sectionsFile));
  const checks: { name: string; url: string; items: number; fault: string | null }[] = [];
  await forEachOnePerHost(
    sources,
    ({ url }) => url,
    async ({ name, url }) => {
      const check = await checkFeed(context, url, userAgent);
      const [items, fault] = check.ok ? [check.items.length, null] : [0, check.fault];
      checks.push({ name, url, items, fault });
      context.print(
        fault === null ? `✓ ${name}: ${formatCount(items, "item")}` : `✗ ${name}: ${fault}`,
      );
      context.progress({ done: checks.length, all: sources.length, what: name });
    },
  );
  context.result(checks);
  const failed = checks.filter(({ fault }) => fault !== null).map(({ name }) => name);
  context.print(
    `\n${sources.length - failed.length} OK, ${failed.length} failed${failed.length > 0 ? `: ${failed.join(", ")}` : ""}.`,
  );
  return failed.length === 0 ? 0 : 1;
}

const addVerb = verb({
  summary: "Fetch a feed and, if it is valid, add it to sections.yaml.",
  arguments: {
    url: { required: true, description: "the URL of the feed, or of a page that names it" },
  },
  options: {
    section: {
      type: "string",
      value: "section",
      required: true,
      description:
        "the section, such as local, or one list of headlines in a section, such as baseball",
    },
    name: {
      type: "string",
      value: "name",
      description: "the name that readers see; the host name if you leave it out",
    },
  },
  async run(context, { url: typedUrl, section, name: chosenName }) {
    requireUrl(typedUrl);
    const path = join(context.siteFolder, sectionsFile.path);
    const edit = async (source: { name: string; url: string }) => {
      const edited = addSource(await readFile(path, "utf8"), section, source);
      return edited.ok ? edited.yaml : fail(`✗ ${edited.reason}`);
    };
    // Whether a name that was not chosen is free depends on the feed, which may have another URL.
    await edit({ name: chosenName ?? typedUrl, url: typedUrl });
    const { url, check } = await findFeed(context, typedUrl, await readUserAgent(context));
    if (!check.ok) fail(`✗ ${url} was not added: ${check.fault}.`);
    // The file may have been edited while the feed was fetched.
    const name = chosenName ?? toSourceName(typedUrl);
    const yaml = await edit({ name, url });
    await tryFile(context, { path, action: "write" }, () => replaceFile(path, yaml));
    context.result({ name, url, section, items: check.items.length });
    context.print(
      `✓ ${name} was added to sections.yaml under ${section}, with ${formatCount(check.items.length, "item")}. The server fetches it within a minute.`,
    );
  },
});

const refreshVerb = verb({
  summary: "Fetch some sources, or all of them, and store new headlines.",
  arguments: {
    id: { repeated: true, description: `${sourceIdDescription}; all sources if you leave it out` },
  },
  async run(context, { id: typedIds }) {
    const site = await readFiles(context);
    const sourceIds = listActiveSources(site.read(sectionsFile)).map((source) => source.id);
    const missing = typedIds.filter((id) => !sourceIds.includes(id));
    if (missing.length > 0) fail(missing.map(missingSource).join("\n"));
    const services = { ...context, site, db: await context.database() };
    const outcomes = await refreshFeeds(services, {
      askedFor: typedIds.length > 0 ? typedIds : sourceIds,
      onOutcome(outcome, done, all) {
        context.print(describeOutcome(outcome));
        context.progress({ done, all, what: outcome.id });
      },
    });
    context.result(outcomes);
    return outcomes.every(({ cause }) => cause === null) ? 0 : 1;
  },
});

function describeOutcome({ id, isVisited, fresh, changed, cause, detail }: Outcome): string {
  if (!isVisited) return `! ${id}: not fetched, because it is being fetched already or we are busy`;
  return cause
    ? `✗ ${id}: it ${describeCause(cause, detail)}`
    : `✓ ${id}: ${fresh} new, ${changed} changed`;
}

const explainVerb = verb({
  summary: "Show the state of sources, the last error and the newest headlines of each.",
  arguments: { id: { required: true, repeated: true, description: sourceIdDescription } },
  async run(context, { id: typedIds }) {
    const site = await readFiles(context);
    const sections = site.read(sectionsFile);
    const { timeZone } = site.read(siteSettingsFile);
    return forEach(context, typedIds, async (each, id) => {
      const lines = await explainSource(await context.database(), sections, id, timeZone);
      if (!lines) fail(missingSource(id));
      each.result({ id, lines });
      for (const line of lines) each.print(line);
    });
  },
});

export const feedsCommand: Command = {
  name: "feeds",
  group: "Content",
  summary: "List, check, add or refresh the sources of our headlines.",
  examples: [
    "feeds list",
    "feeds check https://news.example.com/feed/",
    "feeds check city-news",
    "feeds add https://news.example.com/feed/ --section local",
    "feeds refresh city-news",
    "feeds explain city-news",
  ],
  verbs: {
    list: listVerb,
    check: checkVerb,
    add: addVerb,
    refresh: refreshVerb,
    explain: explainVerb,
  },
};
