import { setTimeout as pause } from "node:timers/promises";
import {
  causeTexts,
  forEachOnePerHost,
  toVisitResult,
} from "../../app/lib/external/source-visits.server.ts";
import { formatCount } from "../../app/lib/newsroom/printing.ts";
import { type Command, type CommandContext, verb } from "../../app/platform/command.ts";
import { checkFile, listFiles } from "../site/site-files.ts";
import { readImages } from "../site/site-images.ts";

type Link = { url: string; files: string[] };
/** `fault` is null for a link that works. */
type Outcome = { link: Link } & ({ isAsked: true; fault: string | null } | { isAsked: false });

const timeoutMs = 15_000;
const sameHostPauseMs = 1_000;
const agent = "HarborlineLinkCheck/1.0 (+an editor checks the links of a local news site)";

export const linksCommand: Command = {
  name: "links",
  group: "Content",
  summary: "Asks every outside address in the city's files whether it is still there.",
  examples: ["links check"],
  verbs: {
    check: verb({
      summary:
        "Asks other people's servers, one request at a time to each, so it takes some minutes.",
      run: (_args, _options, context) => check(context),
    }),
  },
};

async function check(context: CommandContext): Promise<number> {
  const links = await findExternalLinks(context);
  const samples = links.filter(({ url }) => new URL(url).hostname.endsWith(".example"));
  const real = links.filter((link) => !samples.includes(link));
  const outcomes = await checkAll(real, context);
  const dead = outcomes.flatMap((outcome) =>
    outcome.isAsked && outcome.fault !== null ? [{ ...outcome.link, fault: outcome.fault }] : [],
  );
  const notAsked = outcomes.filter(({ isAsked }) => !isAsked).map(({ link }) => link);
  const good = real.length - dead.length - notAsked.length;
  context.result({ good, dead, samples, notAsked });
  for (const { url, fault, files } of dead)
    context.print(`✗ ${url}\n    ${fault} (${files.join(", ")})`);
  for (const { url, files } of samples)
    context.print(`~ ${url}\n    sample, replace before launch (${files.join(", ")})`);
  context.print(`\n${good} good, ${dead.length} dead, ${samples.length} samples.`);
  if (notAsked.length > 0)
    context.print(
      `! ${formatCount(notAsked.length, "address was", "addresses were")} not asked, because OFFLINE=1 is set.`,
    );
  return dead.length + notAsked.length === 0 ? 0 : 1;
}

/** Every address outside the site, with the files that name it. */
async function findExternalLinks(context: CommandContext): Promise<Link[]> {
  const byUrl = new Map<string, Set<string>>();
  const images = readImages(context.siteFolder);
  const files = (
    await Promise.all(context.siteFiles.map((source) => listFiles(context.siteFolder, source)))
  ).flat();
  for (const file of files) {
    const checked = await checkFile(context.siteFolder, file, images);
    if (!checked.ok) {
      context.print(`${file.path} needs a correction first (newsroom validate); it is left out.`);
      continue;
    }
    for (const url of findUrls(checked.value))
      byUrl.set(url, (byUrl.get(url) ?? new Set()).add(file.path));
  }
  return [...byUrl].map(([url, names]) => ({ url, files: [...names] }));
}

/** Whole addresses, and those that links in a text lead to. */
function findUrls(value: unknown): string[] {
  if (typeof value === "object" && value !== null) return Object.values(value).flatMap(findUrls);
  if (typeof value !== "string") return [];
  if (/^https?:\/\/[^\s<>"{}]+$/.test(value)) return [value];
  // In HTML that we have made, and in Markdown that is kept as it was written.
  const html = [...value.matchAll(/href="(https?:\/\/[^"]+)"/g)].map(([, url = ""]) =>
    url.replaceAll("&amp;", "&"),
  );
  const markdown = [...value.matchAll(/\]\((https?:\/\/(?:[^\s()]|\([^\s()]*\))+)/g)].map(
    ([, url = ""]) => url,
  );
  return [...html, ...markdown];
}

/** Several hosts at a time, but one request at a time to each of them, with a pause between. */
async function checkAll(links: Link[], context: CommandContext): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  const justAsked = new Set<string>();
  await forEachOnePerHost(
    links,
    ({ url }) => url,
    async (link) => {
      const { host } = new URL(link.url);
      if (justAsked.delete(host)) await pause(sameHostPauseMs);
      const outcome = await checkLink(link, context);
      if (outcome.isAsked) justAsked.add(host);
      outcomes.push(outcome);
      context.progress(outcomes.length, links.length, link.url);
    },
  );
  return outcomes;
}

/** Some servers do not know HEAD, so after a refusal the address is asked again by GET. */
async function checkLink(link: Link, { fetch, clock }: CommandContext): Promise<Outcome> {
  const ask = (method: "HEAD" | "GET") =>
    fetch(link.url, { method, headers: { "User-Agent": agent }, timeoutMs, readsBody: false });
  const head = await ask("HEAD");
  const answer = head.kind === "response" && head.status >= 400 ? await ask("GET") : head;
  if (answer.kind === "response")
    return { link, isAsked: true, fault: answer.status >= 400 ? `answers ${answer.status}` : null };
  if (answer.cause === "offline") return { link, isAsked: false };
  const visited = toVisitResult(
    answer,
    { etag: null, lastModified: null, bodyHash: null },
    clock(),
  );
  const fault =
    visited.kind === "failed" ? `${causeTexts[visited.cause]} (${visited.detail})` : answer.detail;
  return { link, isAsked: true, fault };
}
