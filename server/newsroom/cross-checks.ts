import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate as yieldToRequests } from "node:timers/promises";
import { siteSettingsFile } from "../../app/features/brand/feature.server.ts";
import { isRedirected } from "../../app/features/redirects/feature.server.ts";
import { toImageKey } from "../../app/lib/images/art.ts";
import { isRecord } from "../../app/lib/is-record.ts";
import { hasPage, isPart } from "../../app/lib/links/parts.ts";
import { findStrings } from "../../app/lib/text/find-strings.ts";
import { findUnknownScheme } from "../../app/lib/text/markdown.server.ts";
import { didYouMean, findNearest } from "../../app/lib/text/nearest.ts";
import type { City, CrossFileProblem } from "../../app/platform/city.ts";
import type { CommandContext } from "../../app/platform/command.ts";
import type { Feature } from "../../app/platform/feature.ts";
import { findSettingLine } from "../../app/site-files/site-yaml.server.ts";
import { isDatabaseUnavailable } from "../../db/failures.ts";
import type { RouteTable } from "../pages/route-table.ts";
import type { FileProblem } from "../site/check-file.ts";
import type { OpenedSite } from "../site/site-files.ts";
import { createSiteContent, listAbsent } from "../site/site-values.ts";

/** Finds references in site files to something that does not exist. */
export type CheckReferences = (city: City) => Promise<CrossFileProblem[]>;

export const createReferenceCheck =
  (features: Pick<Feature, "checks" | "checkLink">[], routes: RouteTable): CheckReferences =>
  async (city) => {
    const problems: CrossFileProblem[] = [];
    for (const check of features.flatMap((feature) => feature.checks ?? [])) {
      await yieldToRequests();
      problems.push(...(await check(city)));
    }
    return [...problems, ...(await checkLinks(features, city, routes))];
  };

type CityContext = Pick<CommandContext, "siteFolder" | "siteFiles" | "services">;

/**
 * Finds mistakes that only a comparison of files shows, in the files that a running site has read.
 */
export async function findBrokenReferences(
  site: OpenedSite,
  checkReferences: CheckReferences,
  context: CityContext,
): Promise<FileProblem[]> {
  const { origin } = site.read(siteSettingsFile);
  const city = toCity(site.values, site.listPaths(), origin, context);
  const problems = (await checkReferences(city)).filter(({ isNote }) => !isNote);
  return Promise.all(
    problems.map(async (problem) => {
      const { file, field, message } = problem;
      const source = await readFile(join(context.siteFolder, file), "utf8").catch(() => "");
      return { file, field, message, line: findLine(problem, source) };
    }),
  );
}

export function toCity(
  values: ReadonlyMap<string, unknown>,
  files: string[],
  origin: string | undefined,
  { siteFolder, siteFiles, services }: CityContext,
): City {
  const content = createSiteContent(values, siteFiles, () => files);
  const absent = listAbsent(values, siteFiles);
  return {
    siteFolder,
    services: () => services().catch(() => null),
    origin,
    values,
    read: (file) => (values.has(file.path) ? content.read(file) : undefined),
    readAll: content.readAll,
    hasPage: (path) => hasPage(absent, path),
    names: content.names,
  };
}

/** Finds the line of a setting or of a piece of text. Returns 0 for the entire file. */
export function findLine({ at }: Pick<CrossFileProblem, "at">, source: string): number {
  if (at === null) return 0;
  if (typeof at === "string") {
    // A short link such as "y" may also be a part of words in the lines above it.
    const index =
      [`](${at})`, `](${at}`, at].map((each) => source.indexOf(each)).find((each) => each >= 0) ??
      -1;
    return index < 0 ? 0 : source.slice(0, index).split("\n").length;
  }
  // The settings of a page are between two lines of dashes; a YAML file has only settings.
  const isPage = source.startsWith("---");
  const settings = isPage
    ? source.slice(source.indexOf("\n") + 1).split(/^---\s*$/m, 1)[0]
    : source;
  return findSettingLine(settings ?? "", at) + (isPage ? 1 : 0);
}

type LinkCheckers = Pick<Feature, "checkLink">[];

/** Finds links to our own pages or files that do not exist, and links that no browser opens. */
async function checkLinks(
  features: LinkCheckers,
  city: City,
  routes: RouteTable,
): Promise<CrossFileProblem[]> {
  const problems: CrossFileProblem[] = [];
  const problemByLink = new Map<string, string | null>();
  for (const [file, value] of city.values) {
    await yieldToRequests();
    const inText = findStrings(value).flatMap((text) => findLinks(text, city.origin));
    for (const link of new Set([...inText, ...listUnknownLinks(value)])) {
      if (!problemByLink.has(link))
        problemByLink.set(link, await findProblem(link, features, city, routes));
      const message = problemByLink.get(link);
      if (message) problems.push({ file, at: link, field: "", message });
    }
  }
  return problems;
}

/** Links with an unknown scheme, which the renderer has left out of the HTML of the page. */
const listUnknownLinks = (value: unknown): string[] =>
  isRecord(value) && "unknownLinks" in value ? findStrings(value.unknownLinks) : [];

/** Whether a target is relative. Where it leads would depend on the page that shows it. */
const isRelative = (target: string) => !/^(?:[a-z][a-z0-9+.-]*:|[/#?])/i.test(target);

/**
 * Returns the string itself if it is a path, and otherwise all links in it, in our HTML or in
 * Markdown.
 */
function findLinks(text: string, origin = "https://own.invalid"): string[] {
  if (/^\/(?!\/)\S{0,500}$/.test(text)) return [text];
  const targets = [
    ...(text.startsWith(origin) ? [text] : []),
    ...[...text.matchAll(/(?:href|src)="([^"]{1,500})"/g)].map(([, target = ""]) => target),
    ...[...text.matchAll(/\]\(<?([^\s()<>]{1,500})/g)].map(([, target = ""]) => target),
  ];
  return targets.flatMap((target) => {
    const path = target.startsWith(`${origin}/`) ? target.slice(origin.length) : target;
    return /^\/(?!\/)/.test(path) || isRelative(path) || findUnknownScheme(path) !== null
      ? [path]
      : [];
  });
}

async function findProblem(
  link: string,
  features: LinkCheckers,
  city: City,
  routes: RouteTable,
): Promise<string | null> {
  const scheme = findUnknownScheme(link);
  if (scheme !== null)
    return `the link ${link} leads nowhere, because it begins with ${scheme}:${didYouMean(scheme, ["https", "http", "mailto", "tel"])}`;
  if (isRelative(link))
    return `the link ${link} is incomplete. Write a full URL (https://…) or, for one of our pages, a path such as /news/name`;
  const path = URL.parse(link, "https://own.invalid")?.pathname ?? "";
  const [, folder = ""] = path.split("/");
  const describeBroken = (known: string[], reason?: string) =>
    `the link ${link} leads nowhere${reason === undefined ? suggestPath(path, known) : `: ${reason}`}`;
  if (["art", "covers", "documents", "film", "photos"].includes(folder)) {
    const file = toImageKey(path)
      .replace(/^\/photos\//, "/")
      .replace("/download/", "/");
    const exists = await stat(join(city.siteFolder, file)).catch(() => null);
    return exists ? null : describeBroken([]);
  }
  if (await isRedirected(path, city)) return null;
  const route = routes.find(path);
  const [, left = ""] = route?.partPath.split("/") ?? [];
  if (route && !city.hasPage(route.partPath) && isPart(left))
    return describeBroken([], `\`without\` in site.yaml lists ${left}`);
  for (const { checkLink } of features) {
    // While the database is unavailable, it is unknown which pages exist, so no link is reported.
    const result = await checkLink?.(path, city).catch((error: unknown) => {
      if (isDatabaseUnavailable(error)) return null;
      throw error;
    });
    if (result === undefined) continue;
    const isPage = routes.paths.includes(path) && result?.reason === undefined;
    return result === null || isPage ? null : describeBroken(result.known, result.reason);
  }
  return route === null ? describeBroken(routes.paths.filter(city.hasPage)) : null;
}

/**
 * Suggests names in the same folder only. If the folder counted too, all of its paths would seem
 * similar.
 */
function suggestPath(path: string, known: string[]): string {
  const folder = path.slice(0, path.lastIndexOf("/") + 1);
  const names = known.flatMap((each) => (each.startsWith(folder) ? each.slice(folder.length) : []));
  const name = findNearest(path.slice(folder.length), names);
  return name === undefined ? "" : `. Did you mean \`${folder}${name}\`?`;
}
