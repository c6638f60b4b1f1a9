import { readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import {
  causeTexts,
  forEachOnePerHost,
  toVisitResult,
} from "../../lib/external/source-visits.server.ts";
import { fileErrorMessage } from "../../lib/newsroom/file-errors.server.ts";
import { formatCount } from "../../lib/newsroom/printing.ts";
import { forEach } from "../../lib/newsroom/selection.ts";
import { type Command, type CommandContext, verb } from "../../platform/command.ts";
import type { SiteContent } from "../../site-files/site-file.server.ts";
import { siteSettingsFile, siteUserAgent } from "../brand/files.server.ts";
import { addSource } from "./add-source.server.ts";
import { listActiveSources, sectionsFile } from "./files.server.ts";
import { explainSource } from "./health/explain.server.ts";
import { readSourceHealth } from "./health/health.server.ts";
import type { Item } from "./import/normalize.server.ts";
import { acceptFeeds, maxFeedBytes, refreshFeeds } from "./import/refresh.server.ts";
import { readFeedInWorker } from "./import/worker-task.server.ts";

const siteFiles = [siteSettingsFile, sectionsFile];
const sourceIdDescription = 'the id of a source; "feeds list" shows the ids';

export const feedsCommand: Command = {
  name: "feeds",
  group: "Content",
  summary: "List, check, add or refresh the sources of our headlines.",
  examples: [
    "feeds list",
    "feeds check https://baltimorebrew.com/feed/",
    "feeds add https://baltimorebrew.com/feed/ --section local",
    "feeds refresh baltimore-brew",
    "feeds explain baltimore-brew",
  ],
  verbs: {
    list: verb({
      summary: "List the sources and the state of each.",
      run: async (_args, _options, context) => list(context, await context.readSite(siteFiles)),
    }),
    check: verb({
      summary: "Fetch one feed, or all sources, without storing anything.",
      arguments: { url: { description: "the URL of a feed; all sources if you leave it out" } },
      async run({ url }, _options, context) {
        const site = await context.readSite(siteFiles);
        return url === undefined ? checkAll(context, site) : checkOne(context, site, url);
      },
    }),
    add: verb({
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
      run: async ({ url }, options, context) =>
        add(context, await context.readSite(siteFiles), url, options),
    }),
    refresh: verb({
      summary: "Fetch some sources, or all of them, and store new headlines.",
      arguments: {
        id: {
          repeated: true,
          description: `${sourceIdDescription}; all sources if you leave it out`,
        },
      },
      run: async ({ id }, _options, context) => {
        const site = await context.readSite(siteFiles);
        return id.length === 0
          ? refresh(context, site, undefined)
          : forEach(context, id, (each, source) => refresh(each, site, source));
      },
    }),
    explain: verb({
      summary: "Show the state of sources, the last error and the newest headlines of each.",
      arguments: { id: { required: true, repeated: true, description: sourceIdDescription } },
      run: async ({ id }, _options, context) => {
        const site = await context.readSite(siteFiles);
        return forEach(context, id, (each, source) => explain(each, site, source));
      },
    }),
  },
};

async function list(context: CommandContext, site: SiteContent): Promise<number> {
  const sources = await readSourceHealth(await context.database(), site.read(sectionsFile));
  const rows = sources.map(({ id, sections, state, items, lastSuccess, cause }) => [
    id,
    sections.join(" "),
    state,
    String(items),
    lastSuccess?.toISOString().slice(0, 16) ?? "never",
    cause ?? "",
  ]);
  context.result(sources);
  context.table(["source", "sections", "state", "items", "last success (UTC)", "cause"], rows);
  return sources.some(({ state }) => state === "failing") ? 1 : 0;
}

/**
 * The result of fetching a feed. `--json` prints this type, so its keys must not change. `feedUrl`
 * is the feed that a web page names.
 */
type FeedCheck =
  | { ok: true; items: Item[]; movedTo: string | null }
  | { ok: false; fault: string; feedUrl?: string };

/** Fetches and parses a feed without storing anything. */
async function tryFeed(
  context: CommandContext,
  site: SiteContent,
  url: string,
): Promise<FeedCheck> {
  const userAgent = siteUserAgent(site.read(siteSettingsFile));
  const response = await context.fetch(url, {
    maxBytes: maxFeedBytes,
    headers: { "User-Agent": userAgent, Accept: acceptFeeds },
  });
  const now = context.clock();
  const visited = toVisitResult(response, { etag: null, lastModified: null, bodyHash: null }, now);
  const result =
    visited.kind === "new" ? await readFeedInWorker(context.runInWorker, visited, now) : visited;
  if (result.kind === "items")
    return {
      ok: true,
      items: result.items,
      movedTo: visited.kind === "new" ? visited.movedTo : null,
    };
  if (result.kind !== "failed") return { ok: false, fault: "it is empty" };
  const { cause, detail, feedUrl } = result;
  const fault = `it ${causeTexts[cause]} (${detail})`;
  return { ok: false, fault, ...(feedUrl === undefined ? {} : { feedUrl }) };
}

/** Does the same, but follows a web page to its feed. Returns the URL of the feed. */
async function findFeed(context: CommandContext, site: SiteContent, url: string) {
  const check = await tryFeed(context, site, url);
  if (check.ok || check.feedUrl === undefined) return { url, check };
  context.print(`${url} is a web page. Its feed is ${check.feedUrl}`);
  return { url: check.feedUrl, check: await tryFeed(context, site, check.feedUrl) };
}

async function checkOne(
  context: CommandContext,
  site: SiteContent,
  typedUrl: string,
): Promise<number> {
  const { url, check } = await findFeed(context, site, typedUrl);
  context.result({ url, ...check });
  if (!check.ok) {
    context.print(`✗ ${url}\n    ${check.fault}`);
    return 1;
  }
  context.print(
    `✓ ${url}: ${formatCount(check.items.length, "item")}. Readers would see the newest like this:`,
  );
  if (check.movedTo)
    context.print(`  It has moved permanently to ${check.movedTo}. Use that URL in sections.yaml.`);
  for (const { title, link, publishedAt, summary } of check.items.slice(0, 5)) {
    context.print(`\n  ${title}\n    ${publishedAt?.toISOString() ?? "no readable date"}  ${link}`);
    if (summary !== "") context.print(`    ${summary}`);
  }
  return 0;
}

async function checkAll(context: CommandContext, site: SiteContent): Promise<number> {
  const sources = listActiveSources(site.read(sectionsFile));
  const checks: { name: string; url: string; items: number; fault: string | null }[] = [];
  await forEachOnePerHost(
    sources,
    ({ url }) => url,
    async ({ name, url }) => {
      const check = await tryFeed(context, site, url);
      const [items, fault] = check.ok ? [check.items.length, null] : [0, check.fault];
      checks.push({ name, url, items, fault });
      context.print(
        fault === null ? `✓ ${name}: ${formatCount(items, "item")}` : `✗ ${name}: ${fault}`,
      );
      context.progress(checks.length, sources.length, name);
    },
  );
  context.result(checks);
  const failed = checks.filter(({ fault }) => fault !== null).map(({ name }) => name);
  context.print(
    `\n${sources.length - failed.length} OK, ${failed.length} failed${failed.length > 0 ? `: ${failed.join(", ")}` : ""}.`,
  );
  return failed.length === 0 ? 0 : 1;
}

/** Adds two lines to sections.yaml if the URL leads to a feed. */
async function add(
  context: CommandContext,
  site: SiteContent,
  typedUrl: string,
  { section, name: chosenName }: { section: string; name: string | undefined },
): Promise<number> {
  if (!URL.canParse(typedUrl)) {
    context.print(`"${typedUrl}" is not a URL. Example: https://baltimorebrew.com/feed/`);
    return 2;
  }
  const name = chosenName ?? new URL(typedUrl).hostname.replace(/^www\./, "");
  const path = join(context.siteFolder, sectionsFile.path);
  const edit = async (source: { name: string; url: string }) =>
    addSource(await readFile(path, "utf8"), section, source);
  // Whether a name that was not chosen is free depends on the feed, which may have another URL.
  const preview = await edit({ name: chosenName ?? typedUrl, url: typedUrl });
  if (!preview.ok) {
    context.print(`✗ ${preview.reason}`);
    return 1;
  }
  const { url, check } = await findFeed(context, site, typedUrl);
  if (!check.ok) {
    context.print(`✗ ${url} was not added: ${check.fault}.`);
    return 1;
  }
  // The file may have been edited while the feed was fetched.
  const edited = await edit({ name, url });
  if (!edited.ok) {
    context.print(`✗ ${edited.reason}`);
    return 1;
  }
  // Write the file under another name and then rename it, so that nobody reads half a file.
  try {
    await writeFile(`${path}.new`, edited.yaml);
    await rename(`${path}.new`, path);
  } catch (error) {
    context.print(
      `✗ ${fileErrorMessage(error, { path, action: "write", isServing: context.isServing })}`,
    );
    return 1;
  }
  context.result({ name, url, section, items: check.items.length });
  context.print(
    `✓ ${name} was added to sections.yaml under ${section}, with ${formatCount(check.items.length, "item")}. The server fetches it within a minute.`,
  );
  return 0;
}

async function refresh(
  context: CommandContext,
  site: SiteContent,
  id: string | undefined,
): Promise<number> {
  const sourceIds = listActiveSources(site.read(sectionsFile)).map((source) => source.id);
  if (id !== undefined && !sourceIds.includes(id)) {
    context.print(`There is no source "${id}". Run "./newsroom feeds list" to see all ids.`);
    return 1;
  }
  const outcomes = await refreshFeeds(
    {
      db: await context.database(),
      site,
      clock: context.clock,
      fetch: context.fetch,
      runInWorker: context.runInWorker,
      userAgent: siteUserAgent(site.read(siteSettingsFile)),
    },
    {
      only: id === undefined ? sourceIds : [id],
      onOutcome({ id: source, fresh, changed, cause, detail }, done, all) {
        context.print(
          cause
            ? `✗ ${source}: it ${causeTexts[cause]} (${detail})`
            : `✓ ${source}: ${fresh} new, ${changed} changed`,
        );
        context.progress(done, all, source);
      },
    },
  );
  context.result(outcomes);
  return outcomes.every(({ cause }) => cause === null) ? 0 : 1;
}

async function explain(context: CommandContext, site: SiteContent, id: string): Promise<number> {
  const { timeZone } = site.read(siteSettingsFile);
  const lines = await explainSource(
    await context.database(),
    site.read(sectionsFile),
    id,
    timeZone,
  );
  if (!lines) {
    context.print(`There is no source "${id}". Run "./newsroom feeds list" to see all ids.`);
    return 1;
  }
  context.result({ id, lines });
  for (const line of lines) context.print(line);
  return 0;
}
