import { setTimeout as pause } from "node:timers/promises";
import { checkFile, filesOf } from "../site/site-files.ts";
import { readImages } from "../site/site-images.ts";
import type { Command, Desk } from "./commands.ts";

type Link = { url: string; files: string[] };
type Outcome = { link: Link; fault: string | null };

const timeoutMs = 15_000;
const sameHostPauseMs = 1_000;
const hostsAtOnce = 4;
const agent = "HarborlineLinkCheck/1.0 (+an editor checks the links of a local news site)";

export const linksCommand: Command = {
  name: "links",
  summary: "Asks every outside address in the city's files whether it is still there.",
  usage: "links check",
  examples: ["links check"],
  async run(args, desk) {
    if (args.join(" ") !== "check") {
      desk.print('Say "links check": it asks other people\'s servers, so it runs only when told to.');
      return 2;
    }
    const links = await outsideLinks(desk);
    const samples = links.filter(({ url }) => new URL(url).hostname.endsWith(".example"));
    const real = links.filter((link) => !samples.includes(link));
    const outcomes = await checkAll(real, desk);
    const dead = outcomes.filter(({ fault }) => fault !== null);
    desk.answer({
      good: real.length - dead.length,
      dead: dead.map(({ link, fault }) => ({ ...link, fault })),
      samples,
    });
    for (const { link, fault } of dead) desk.print(`✗ ${link.url}\n    ${fault} (${link.files.join(", ")})`);
    for (const { url, files } of samples)
      desk.print(`~ ${url}\n    sample, replace before launch (${files.join(", ")})`);
    desk.print(`\n${real.length - dead.length} good, ${dead.length} dead, ${samples.length} samples.`);
    return dead.length === 0 ? 0 : 1;
  },
};

/** Every address outside the site, with the files that name it. */
async function outsideLinks(desk: Desk): Promise<Link[]> {
  const byUrl = new Map<string, Set<string>>();
  const images = readImages(desk.siteFolder);
  const files = (await Promise.all(desk.siteFiles.map((source) => filesOf(desk.siteFolder, source)))).flat();
  for (const file of files) {
    const checked = await checkFile(desk.siteFolder, file, images);
    if (!checked.ok) {
      desk.print(`${file.path} needs a correction first (newsroom validate); it is left out.`);
      continue;
    }
    for (const url of addressesIn(checked.value))
      byUrl.set(url, (byUrl.get(url) ?? new Set()).add(file.path));
  }
  return [...byUrl].map(([url, names]) => ({ url, files: [...names] }));
}

/** Whole addresses, and those that links in a text lead to. */
function addressesIn(value: unknown): string[] {
  if (typeof value === "object" && value !== null) return Object.values(value).flatMap(addressesIn);
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
async function checkAll(links: Link[], desk: Desk): Promise<Outcome[]> {
  const hosts = Map.groupBy(links, ({ url }) => new URL(url).host);
  const queue = [...hosts.values()];
  const outcomes: Outcome[] = [];
  const worker = async () => {
    for (let batch = queue.shift(); batch; batch = queue.shift()) {
      for (const [index, link] of batch.entries()) {
        if (index > 0) await pause(sameHostPauseMs);
        outcomes.push({ link, fault: await faultOf(link.url) });
        desk.progress(outcomes.length, links.length, link.url);
      }
    }
  };
  await Promise.all(Array.from({ length: hostsAtOnce }, worker));
  return outcomes;
}

/** Why an address is no good; null if it is. Some servers do not know HEAD, so a refusal is asked again by GET. */
async function faultOf(url: string): Promise<string | null> {
  const ask = (method: string) =>
    fetch(url, { method, headers: { "user-agent": agent }, signal: AbortSignal.timeout(timeoutMs) });
  try {
    let answer = await ask("HEAD");
    if (answer.status >= 400) {
      answer = await ask("GET");
      await answer.body?.cancel();
    }
    return answer.status >= 400 ? `answers ${answer.status}` : null;
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    return cause instanceof Error ? cause.message : String(cause);
  }
}
