import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { siteSettingsFile } from "../../app/features/brand/feature.server.ts";
import { communityFile, markChecked } from "../../app/features/community/feature.server.ts";
import { calendarDay } from "../../app/lib/dates.ts";
import {
  describeCause,
  forEachOnePerHost,
  toVisitResult,
} from "../../app/lib/external/source-visits.server.ts";
import { replaceFile, tryFile } from "../../app/lib/newsroom/file-errors.server.ts";
import { formatCount } from "../../app/lib/newsroom/printing.ts";
import { type Command, type CommandContext, verb } from "../../app/platform/command.ts";
import { checkFile, listAllFiles } from "../site/check-file.ts";
import { readImages } from "../site/site-images.ts";
import { createTextParser } from "../site/text-parser.ts";

type Link = { url: string; files: string[] };
/** `fault` is null for a link that works, and undefined for one that was not checked. */
type Outcome = { link: Link; fault: string | null | undefined };

const timeoutMs = 15_000;
const sameHostPauseMs = 1_000;
const userAgent = "HarborlineLinkCheck/1.0 (an editor checks the links of a local news site)";

export const linksCommand: Command = {
  name: "links",
  group: "Content",
  summary:
    "Check that every external link in the site files still works, and date the listings of the community page.",
  examples: ["links check"],
  verbs: {
    check: verb({
      summary:
        "Check all external links. This takes a few minutes: each server gets one request at a time.",
      run: check,
    }),
  },
};

async function check(context: CommandContext): Promise<number> {
  const links = await findExternalLinks(context);
  const samples = links.filter(({ url }) => new URL(url).hostname.endsWith(".example"));
  const realLinks = links.filter((link) => !samples.includes(link));
  const outcomes = await checkAll(realLinks, context);
  const dead = outcomes.flatMap(({ link, fault }) => (fault ? [{ ...link, fault }] : []));
  const unchecked = outcomes.filter(({ fault }) => fault === undefined).map(({ link }) => link);
  const good = realLinks.length - dead.length - unchecked.length;
  context.result({ good, dead, samples, notAsked: unchecked });
  for (const { url, fault, files } of dead)
    context.print(`✗ ${url}\n    ${fault} (${files.join(", ")})`);
  for (const { url, files } of samples)
    context.print(`~ ${url}\n    sample link: replace it before launch (${files.join(", ")})`);
  const isWorking = ({ fault }: Outcome) => fault === null;
  await storeChecked(context, new Set(outcomes.filter(isWorking).map(({ link }) => link.url)));
  context.print(`\n${good} working, ${dead.length} broken, ${samples.length} sample links.`);
  if (unchecked.length > 0)
    context.print(
      `! ${formatCount(unchecked.length, "link was", "links were")} not checked because OFFLINE=1 is set. Remove OFFLINE from the settings and run "./newsroom links check" again.`,
    );
  return dead.length + unchecked.length === 0 ? 0 : 1;
}

/** Writes into the listings of the community page that their links were checked today. */
async function storeChecked(context: CommandContext, workingUrls: Set<string>): Promise<void> {
  const path = join(context.siteFolder, communityFile.path);
  const source = await readFile(path, "utf8").catch(() => null);
  if (source === null) return;
  const { timeZone } = (await context.readSite([siteSettingsFile])).read(siteSettingsFile);
  const day = calendarDay(context.clock(), timeZone);
  const { yaml, count } = markChecked(source, workingUrls, day);
  if (count === 0) return;
  await tryFile(context, { path, action: "write" }, () => replaceFile(path, yaml));
  context.print(
    `✓ ${communityFile.path} now says that ${formatCount(count, "listing was", "listings were")} checked on ${day}.`,
  );
}

async function findExternalLinks(context: CommandContext): Promise<Link[]> {
  const byUrl = new Map<string, Set<string>>();
  const tools = {
    images: readImages(context.siteFolder),
    texts: createTextParser(context.runInWorker),
  };
  for (const file of await listAllFiles(context.siteFolder, context.siteFiles)) {
    const checked = await checkFile(context.siteFolder, file, tools);
    if (!checked.ok) {
      context.print(
        `! Skipped ${file.path}, which has problems. Run "./newsroom validate" to see them.`,
      );
      continue;
    }
    for (const url of findUrls(checked.value))
      byUrl.set(url, (byUrl.get(url) ?? new Set()).add(file.path));
  }
  return [...byUrl].map(([url, names]) => ({ url, files: [...names] }));
}

/** Finds the values that are URLs, and the targets of links inside text. */
function findUrls(value: unknown): string[] {
  if (typeof value === "object" && value !== null) return Object.values(value).flatMap(findUrls);
  if (typeof value !== "string") return [];
  if (/^https?:\/\/[^\s<>"{}]+$/.test(value)) return [value];
  // Links in HTML that we rendered, and in Markdown that is stored as it was written.
  const html = [...value.matchAll(/href="(https?:\/\/[^"]+)"/g)].map(([, url = ""]) =>
    url.replaceAll("&amp;", "&"),
  );
  const markdown = [...value.matchAll(/\]\((https?:\/\/(?:[^\s()]|\([^\s()]*\))+)/g)].map(
    ([, url = ""]) => url,
  );
  return [...html, ...markdown];
}

/** Checks several hosts concurrently, but sends each host one request at a time, with pauses. */
async function checkAll(links: Link[], context: CommandContext): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  const recentHosts = new Set<string>();
  await forEachOnePerHost(
    links,
    ({ url }) => url,
    async (link) => {
      const { host } = new URL(link.url);
      if (recentHosts.delete(host)) await pause(sameHostPauseMs);
      const outcome = await checkLink(link, context);
      if (outcome.fault !== undefined) recentHosts.add(host);
      outcomes.push(outcome);
      context.progress({ done: outcomes.length, all: links.length, what: link.url });
    },
  );
  return outcomes;
}

/** Checks a link with HEAD, and after an error status with GET, because some servers lack HEAD. */
async function checkLink(link: Link, { fetch, clock }: CommandContext): Promise<Outcome> {
  const request = (method: "HEAD" | "GET") =>
    fetch(link.url, { method, headers: { "User-Agent": userAgent }, timeoutMs, readsBody: false });
  const head = await request("HEAD");
  const result = head.kind === "response" && head.status >= 400 ? await request("GET") : head;
  if (result.kind === "response")
    return { link, fault: result.status >= 400 ? `responds with status ${result.status}` : null };
  if (result.cause === "offline") return { link, fault: undefined };
  const visit = toVisitResult(result, { etag: null, lastModified: null, bodyHash: null }, clock());
  const fault = visit.kind === "failed" ? describeCause(visit.cause, visit.detail) : result.detail;
  return { link, fault };
}
