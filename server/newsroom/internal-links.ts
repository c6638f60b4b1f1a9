import { stat } from "node:fs/promises";
import { join } from "node:path";
import { findStrings } from "../../app/lib/text/find-strings.ts";
import { didYouMean } from "../../app/lib/text/nearest.ts";
import type { City, CrossFileProblem } from "../../app/platform/city.ts";
import type { Feature } from "../../app/platform/feature.ts";
import { isDatabaseUnavailable } from "../../db/failures.ts";
import type { RouteTable } from "../pages/route-table.ts";

type Linked = Pick<Feature, "checkLink">[];

/** Every link to a page or file of our own, wherever it is in the city's files, leads somewhere. */
export async function checkLinks(
  features: Linked,
  city: City,
  routes: RouteTable,
): Promise<CrossFileProblem[]> {
  const problems: CrossFileProblem[] = [];
  const faults = new Map<string, string | null>();
  for (const [file, value] of city.values) {
    for (const link of new Set(findStrings(value).flatMap((text) => linksIn(text, city.origin)))) {
      if (!faults.has(link)) faults.set(link, await faultOf(link, features, city, routes));
      const fault = faults.get(link);
      if (fault) problems.push({ file, at: link, field: "", message: fault });
    }
  }
  return problems;
}

/**
 * A target that begins with neither a scheme, a path nor an anchor: where it leads depends on the
 * page it is on.
 */
const isRelative = (target: string) => !/^(?:[a-z][a-z0-9+.-]*:|[/#?])/i.test(target);

/**
 * Links of our own in a text: the whole of it, links in HTML that we have made, and links in
 * Markdown.
 */
function linksIn(text: string, origin = "https://own.invalid"): string[] {
  if (/^\/(?!\/)\S{0,500}$/.test(text)) return [text];
  const targets = [
    ...(text.startsWith(origin) ? [text] : []),
    ...[...text.matchAll(/(?:href|src)="([^"]{1,500})"/g)].map(([, target = ""]) => target),
    ...[...text.matchAll(/\]\(<?([^\s()<>]{1,500})/g)].map(([, target = ""]) => target),
  ];
  return targets.flatMap((target) => {
    const path = target.startsWith(`${origin}/`) ? target.slice(origin.length) : target;
    return /^\/(?!\/)/.test(path) || isRelative(path) ? [path] : [];
  });
}

/** What is wrong with a link; null if nothing is. */
async function faultOf(
  link: string,
  features: Linked,
  city: City,
  routes: RouteTable,
): Promise<string | null> {
  if (isRelative(link)) {
    const isImage = /^[\w-]+\.(?:jpe?g|png|webp|svg)$/i.test(link);
    const whole = isImage ? `/art/${link}` : link.startsWith("www.") ? `https://${link}` : null;
    const remedy = whole ?? "https://… or, for a page of ours, a path such as /news/name";
    return `the link ${link} needs its whole address: ${remedy}`;
  }
  const path = URL.parse(link, "https://own.invalid")?.pathname ?? "";
  const [, first = "", ...rest] = path.split("/");
  const nowhere = (known: string[], reason?: string) =>
    `the link ${link} leads nowhere${reason === undefined ? didYouMean(path, known) : `: ${reason}`}`;
  if (["art", "covers", "documents", "film"].includes(first)) {
    const name = rest.join("/").replace(/^download\//, "");
    const isThere = await stat(join(city.siteFolder, first, name)).catch(() => null);
    return isThere ? null : nowhere([]);
  }
  for (const { checkLink } of features) {
    // While the database is away, nobody knows whether a record of it exists.
    const found = await checkLink?.(path, city).catch((error: unknown) => {
      if (isDatabaseUnavailable(error)) return null;
      throw error;
    });
    if (found === undefined) continue;
    const isPage = routes.paths.includes(path) && found?.reason === undefined;
    return found === null || isPage ? null : nowhere(found.known, found.reason);
  }
  if (routes.paths.includes(path) || routes.canonicalPath(path) !== null) return null;
  return routes.isMissing(path) ? nowhere(routes.paths) : null;
}
