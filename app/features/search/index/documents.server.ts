import { createHash } from "node:crypto";
import { setImmediate as letOthersRun } from "node:timers/promises";
import type { SiteReader } from "../../../lib/site/site-file.server.ts";
import type { Feature } from "../../../platform/feature.ts";
import type { SearchDocument } from "../../../platform/search-document.ts";
import type { Services } from "../../../platform/services.ts";
import { longestBody, readBodies, storable, type Unread } from "./texts.server.ts";
import type { Gathered } from "./write.server.ts";

const documentsPerTurn = 50;

/** What features declare to search. Headlines are searched where they are. */
export type Searchable = Pick<Feature, "documents" | "pages" | "linkLabels">;

/** Everything that readers can search for, from every feature. */
export async function gatherDocuments(
  features: Searchable[],
  services: Services,
  known: ReadonlyMap<string, string>,
): Promise<Gathered> {
  const listed: SearchDocument[] = pageDocuments(features, services.site);
  for (const { documents } of features)
    if (documents) listed.push(...(await documents.list(services)));
  const unread: Unread[] = [];
  // If two have the same id, the first one counts.
  for (const document of new Map(listed.toReversed().map((each) => [each.id, each])).values()) {
    // Thousands of documents must not keep readers waiting.
    if (unread.length % documentsPerTurn === 0) await letOthersRun();
    unread.push(withVersion(document));
  }
  const versions = new Map(unread.map(({ id, version }) => [id, version]));
  const changed = await readBodies(
    services,
    unread.filter(({ id, version }) => known.get(id) !== version),
  );

  for (const { documents } of features) {
    if (!documents?.stored) continue;
    const { atOnce, versions: findVersions, read } = documents.stored;
    const rows = await findVersions(services);
    for (const { id, version } of rows) versions.set(id, version);
    const ids = rows.filter(({ id, version }) => known.get(id) !== version).map(({ id }) => id);
    for (let start = 0; start < ids.length; start += atOnce) {
      const some = await read(services, ids.slice(start, start + atOnce));
      for (const document of await readBodies(services, some.map(withVersion)))
        changed.push({ ...document, version: versions.get(document.id) ?? document.version });
    }
  }
  return { versions, changed };
}

/**
 * The pages that are not records of anything, each by its own words and by what links to it are
 * called.
 */
function pageDocuments(features: Searchable[], site: SiteReader): SearchDocument[] {
  const labels = Map.groupBy(
    features.flatMap(({ linkLabels }) => linkLabels?.(site) ?? []),
    ({ to }) => to,
  );
  return features
    .flatMap(({ pages }) => Object.entries(pages?.(site) ?? {}))
    .map(([link, { aliases = [], ...page }]) => {
      const names = new Set([...aliases, ...(labels.get(link) ?? []).map(({ label }) => label)]);
      names.delete(page.title);
      return { ...page, id: `page:${link}`, kind: "page", link, aliases: [...names].join("\n") };
    });
}

/** The version covers what the body is read from, so a text is read once, whatever comes of it. */
function withVersion(given: SearchDocument): Unread {
  const {
    source: wholeSource,
    aliases = "",
    detail = "",
    summary = "",
    body = "",
    keywords = "",
  } = given;
  const source = wholeSource && { ...wholeSource, text: wholeSource.text.slice(0, longestBody) };
  const document = {
    id: storable(given.id),
    kind: given.kind,
    link: storable(given.link),
    title: storable(given.title),
    aliases,
    keywords: storable(keywords),
    detail: storable(detail),
    summary: storable(summary),
    body: storable(body.slice(0, longestBody)),
    at: given.at ?? null,
    isSample: given.isSample ?? false,
  };
  const version = createHash("sha1")
    .update(JSON.stringify([document, source]))
    .digest("base64url");
  return { ...document, version, source: source ?? null };
}
