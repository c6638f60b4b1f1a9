import { stat } from "node:fs/promises";
import { join } from "node:path";
import { blogFolder } from "../../app/features/blog/files.server.ts";
import { blogSource } from "../../app/features/blog/source.server.ts";
import { brandFile } from "../../app/features/brand/files.server.ts";
import { approvedStory } from "../../app/features/community/approved.server.ts";
import { eventsFolder } from "../../app/features/events/files.server.ts";
import { eventOrigins, findEvent } from "../../app/features/events/gather.server.ts";
import { sectionsFile } from "../../app/features/feeds/files.server.ts";
import { sectionNames } from "../../app/features/feeds/model.ts";
import { newsFolder } from "../../app/features/news/files.server.ts";
import { didYouMean } from "../../app/lib/nearest.ts";
import { textsIn } from "../../app/lib/texts-in.ts";
import type { RouteTable } from "../route-table.ts";
import type { Desk } from "./commands.ts";
import type { City, CrossProblem } from "./cross-checks.ts";

type Tools = Pick<Desk, "siteFolder" | "services">;

/** Every link to a page or file of our own, wherever it is in the city's files, leads somewhere. */
export async function checkLinks(city: City, desk: Tools, routes: RouteTable): Promise<CrossProblem[]> {
  const problems: CrossProblem[] = [];
  const faults = new Map<string, string | null>();
  for (const [file, value] of city.values) {
    for (const link of new Set(textsIn(value).flatMap((text) => linksIn(text, city.origin)))) {
      if (!faults.has(link)) faults.set(link, await faultOf(link, city, desk, routes));
      const fault = faults.get(link);
      if (fault) problems.push({ file, at: link, field: "", message: fault });
    }
  }
  return problems;
}

/** A target that begins with neither a scheme, a path nor an anchor: where it leads depends on the page it is on. */
const isRelative = (target: string) => !/^(?:[a-z][a-z0-9+.-]*:|[/#?])/i.test(target);

/** Links of our own in a text: the whole of it, links in HTML that we have made, and links in Markdown. */
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

const folders = { news: newsFolder, blog: blogFolder, events: eventsFolder };

/** What is wrong with a link; null if nothing is. */
async function faultOf(link: string, city: City, desk: Tools, routes: RouteTable): Promise<string | null> {
  if (isRelative(link)) {
    const isImage = /^[\w-]+\.(?:jpe?g|png|webp|svg)$/i.test(link);
    const whole = isImage ? `/art/${link}` : link.startsWith("www.") ? `https://${link}` : null;
    const remedy = whole ?? "https://… or, for a page of ours, a path such as /news/name";
    return `the link ${link} needs its whole address: ${remedy}`;
  }
  const path = URL.parse(link, "https://own.invalid")?.pathname ?? "";
  const [, first = "", ...rest] = path.split("/");
  const nowhere = (known: string[]) => `the link ${link} leads nowhere${didYouMean(path, known)}`;
  if (["art", "covers", "documents", "film"].includes(first)) {
    const name = rest.join("/").replace(/^download\//, "");
    const isThere = await stat(join(desk.siteFolder, first, name)).catch(() => null);
    return isThere ? null : nowhere([]);
  }
  const [id = "", ...more] = rest;
  const sections = city.read(sectionsFile)?.sections;
  if (sections && rest.length === 0 && sectionNames.includes(first) && !sections[first])
    return `the link ${link} leads nowhere: ${sectionsFile.path} has no section ${first}`;
  if (routes.paths.includes(path) || routes.canonicalPath(path) !== null) return null;
  if ((first === "news" || first === "blog" || first === "events") && id !== "" && more.length === 0) {
    const names = city.names(folders[first]);
    if (names.includes(id) || (await isStored(first, id, desk))) return null;
    return nowhere(names.map((name) => `/${first}/${name}`));
  }
  return routes.isMissing(path) ? nowhere(routes.paths) : null;
}

/** Whether readers, an import or a calendar have brought it. Asked only for what is not a file. */
async function isStored(kind: keyof typeof folders, id: string, desk: Tools): Promise<boolean> {
  const services = await desk.services().catch(() => null);
  if (!services) return false;
  switch (kind) {
    case "news":
      return (await approvedStory(services.db, id)) !== null;
    case "blog":
      return (await blogSource(services).details(id)) !== null;
    case "events":
      return (await findEvent(eventOrigins(services, services.site.read(brandFile)), id)) !== null;
  }
}
