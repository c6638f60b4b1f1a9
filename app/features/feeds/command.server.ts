import { readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileFault } from "../../lib/newsroom/file-faults.server.ts";
import { counted } from "../../lib/newsroom/printing.ts";
import { causes, oneAtATimePerHost, readVisit } from "../../lib/outside/polite.server.ts";
import type { SiteReader } from "../../lib/site/site-file.server.ts";
import { type Command, type Desk, verb } from "../../platform/command.ts";
import { agentOf, brandFile } from "../brand/files.server.ts";
import { withSource } from "./add-source.server.ts";
import { activeSources, sectionsFile } from "./files.server.ts";
import { explainSource } from "./health/explain.server.ts";
import { sourceHealth } from "./health/health.server.ts";
import type { Item } from "./import/normalise.server.ts";
import { readFeedOutside } from "./import/outside.server.ts";
import { acceptFeeds, maxFeedBytes, refreshFeeds } from "./import/refresh.server.ts";

const filesRead = [brandFile, sectionsFile];
const source = 'the id of a source, as "feeds list" shows it';

export const feedsCommand: Command = {
  name: "feeds",
  task: "What readers see",
  summary: "Shows, checks, adds and refreshes the sources of our headlines.",
  examples: [
    "feeds list",
    "feeds check https://baltimorebrew.com/feed/",
    "feeds add https://baltimorebrew.com/feed/ --section local",
    "feeds refresh baltimore-brew",
    "feeds explain baltimore-brew",
  ],
  verbs: {
    list: verb({
      summary: "Lists the sources with the state of each.",
      run: async (_args, _options, desk) => list(desk, await desk.readSite(filesRead)),
    }),
    check: verb({
      summary: "Fetches one address, or all sources, and stores nothing.",
      arguments: { url: { description: "the address of a feed; all sources if it is not given" } },
      async run({ url }, _options, desk) {
        const site = await desk.readSite(filesRead);
        return url === undefined ? checkAll(desk, site) : checkOne(desk, site, url);
      },
    }),
    add: verb({
      summary: "Adds a feed to sections.yaml, once it has answered.",
      arguments: { url: { required: true, description: "the address of the feed, https://…" } },
      options: {
        section: {
          type: "string",
          value: "section",
          required: true,
          description: "the section, or the feed of a section, in sections.yaml",
        },
        name: {
          type: "string",
          value: "name",
          description: "what readers see; the name of the server if it is not given",
        },
      },
      run: async ({ url }, options, desk) => add(desk, await desk.readSite(filesRead), url, options),
    }),
    refresh: verb({
      summary: "Fetches one source, or all, and stores what is new.",
      arguments: { id: { description: `${source}; all sources if it is not given` } },
      run: async ({ id }, _options, desk) => refresh(desk, await desk.readSite(filesRead), id),
    }),
    explain: verb({
      summary: "Says how a source is doing and why.",
      arguments: { id: { required: true, description: source } },
      run: async ({ id }, _options, desk) => explain(desk, await desk.readSite(filesRead), id),
    }),
  },
};

async function list(desk: Desk, site: SiteReader): Promise<number> {
  const sources = await sourceHealth(await desk.database(), site.read(sectionsFile));
  const rows = sources.map(({ id, sections, state, items, lastSuccess, cause }) => [
    id,
    sections.join(" "),
    state,
    String(items),
    lastSuccess?.toISOString().slice(0, 16) ?? "never",
    cause ?? "",
  ]);
  desk.answer(sources);
  desk.table(["source", "sections", "state", "items", "last success (UTC)", "cause"], rows);
  return sources.some(({ state }) => state === "failing") ? 1 : 0;
}

type Verdict = { ok: true; items: Item[]; movedTo: string | null } | { ok: false; fault: string };

/** What an address would bring, without storing any of it. */
async function tryOut(desk: Desk, site: SiteReader, url: string): Promise<Verdict> {
  const userAgent = agentOf(site.read(brandFile));
  const fetched = await desk.fetch(url, {
    maxBytes: maxFeedBytes,
    headers: { "User-Agent": userAgent, Accept: acceptFeeds },
  });
  const now = desk.clock();
  const visited = readVisit(fetched, { etag: null, lastModified: null, bodyHash: null }, now);
  const read = visited.kind === "new" ? await readFeedOutside(desk.outside, visited, now) : visited;
  if (read.kind === "items")
    return { ok: true, items: read.items, movedTo: visited.kind === "new" ? visited.movedTo : null };
  return {
    ok: false,
    fault: read.kind === "failed" ? `it ${causes[read.cause]} (${read.detail})` : "it is empty",
  };
}

async function checkOne(desk: Desk, site: SiteReader, url: string): Promise<number> {
  const verdict = await tryOut(desk, site, url);
  desk.answer({ url, ...verdict });
  if (!verdict.ok) {
    desk.print(`✗ ${url}\n    ${verdict.fault}`);
    return 1;
  }
  desk.print(`✓ ${url}: ${verdict.items.length} items. The newest would be shown like this:`);
  if (verdict.movedTo)
    desk.print(`  It has moved for good to ${verdict.movedTo}: write that address instead.`);
  for (const { title, link, publishedAt, summary } of verdict.items.slice(0, 5)) {
    desk.print(`\n  ${title}\n    ${publishedAt?.toISOString() ?? "no date that can be read"}  ${link}`);
    if (summary !== "") desk.print(`    ${summary}`);
  }
  return 0;
}

async function checkAll(desk: Desk, site: SiteReader): Promise<number> {
  const sources = activeSources(site.read(sectionsFile));
  const verdicts: { name: string; url: string; items: number; fault: string | null }[] = [];
  await oneAtATimePerHost(
    sources,
    ({ url }) => url,
    async ({ name, url }) => {
      const verdict = await tryOut(desk, site, url);
      const [items, fault] = verdict.ok ? [verdict.items.length, null] : [0, verdict.fault];
      verdicts.push({ name, url, items, fault });
      desk.print(fault === null ? `✓ ${name}: ${counted(items, "item")}` : `✗ ${name}: ${fault}`);
      desk.progress(verdicts.length, sources.length, name);
    },
  );
  desk.answer(verdicts);
  const faults = verdicts.filter(({ fault }) => fault !== null).map(({ name }) => name);
  desk.print(
    `\n${sources.length - faults.length} good, ${faults.length} not${faults.length > 0 ? `: ${faults.join(", ")}` : ""}.`,
  );
  return faults.length === 0 ? 0 : 1;
}

/** Writes two lines into sections.yaml, once the address has shown that it is a feed. */
async function add(
  desk: Desk,
  site: SiteReader,
  url: string,
  { section, name: given }: { section: string; name: string | undefined },
): Promise<number> {
  if (!URL.canParse(url)) {
    desk.print(`"${url}" is not the address of a feed, such as https://baltimorebrew.com/feed/.`);
    return 2;
  }
  const name = given ?? new URL(url).hostname.replace(/^www\./, "");
  const path = join(desk.siteFolder, sectionsFile.path);
  const edit = async () => withSource(await readFile(path, "utf8"), section, { name, url });
  const possible = await edit();
  if (!possible.ok) {
    desk.print(`✗ ${possible.reason}`);
    return 1;
  }
  const verdict = await tryOut(desk, site, url);
  if (!verdict.ok) {
    desk.print(`✗ ${url} was not added: ${verdict.fault}.`);
    return 1;
  }
  // Somebody may have edited the file while the feed was fetched.
  const edited = await edit();
  if (!edited.ok) {
    desk.print(`✗ ${edited.reason}`);
    return 1;
  }
  // By renaming, so that nobody reads half a file.
  try {
    await writeFile(`${path}.new`, edited.source);
    await rename(`${path}.new`, path);
  } catch (error) {
    desk.print(`✗ ${fileFault(error, { path, done: "written", isServing: desk.isServing })}`);
    return 1;
  }
  desk.answer({ name, url, section, items: verdict.items.length });
  desk.print(
    `✓ ${name} is in sections.yaml under ${section}, with ${verdict.items.length} items. It is asked within a minute.`,
  );
  return 0;
}

async function refresh(desk: Desk, site: SiteReader, id: string | undefined): Promise<number> {
  const known = activeSources(site.read(sectionsFile)).map((source) => source.id);
  if (id !== undefined && !known.includes(id)) {
    desk.print(`There is no source "${id}". "feeds list" shows their names.`);
    return 2;
  }
  const outcomes = await refreshFeeds(
    {
      db: await desk.database(),
      site,
      clock: desk.clock,
      fetch: desk.fetch,
      outside: desk.outside,
      userAgent: agentOf(site.read(brandFile)),
    },
    {
      only: id === undefined ? known : [id],
      onOutcome({ id: source, fresh, changed, cause, detail }, done, all) {
        desk.print(
          cause
            ? `✗ ${source}: it ${causes[cause]} (${detail})`
            : `✓ ${source}: ${fresh} new, ${changed} changed`,
        );
        desk.progress(done, all, source);
      },
    },
  );
  desk.answer(outcomes);
  return outcomes.every(({ cause }) => cause === null) ? 0 : 1;
}

async function explain(desk: Desk, site: SiteReader, id: string): Promise<number> {
  const { timeZone } = site.read(brandFile);
  const lines = await explainSource(await desk.database(), site.read(sectionsFile), id, timeZone);
  if (!lines) {
    desk.print(`There is no source "${id}". "feeds list" shows their names.`);
    return 2;
  }
  desk.answer({ id, lines });
  for (const line of lines) desk.print(line);
  return 0;
}
