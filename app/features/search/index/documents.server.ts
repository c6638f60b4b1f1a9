import { createHash } from "node:crypto";
import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import type { Feature } from "../../../platform/feature.ts";
import type { SearchDocument } from "../../../platform/search-document.ts";
import type { Services } from "../../../platform/services.ts";
import type { SiteContent } from "../../../site-files/site-file.server.ts";
import { maxBodyLength, readBodies, toStorable, type UnreadDocument } from "./texts.server.ts";
import type { GatheredDocuments } from "./write.server.ts";

const documentsPerTick = 50;

/** What features declare. Headlines are not in it: search reads their own table. */
export type SearchableFeature = Pick<Feature, "documents" | "pages" | "linkLabels">;

/** Gathers what readers can search for. `knownVersions` are those of the index, by id. */
export async function gatherDocuments(
  features: SearchableFeature[],
  services: Services,
  knownVersions: ReadonlyMap<string, string>,
): Promise<GatheredDocuments> {
  const allDocuments: SearchDocument[] = listPageDocuments(features, services.site);
  for (const { documents } of features)
    if (documents) allDocuments.push(...(await documents.list(services)));
  const unread: UnreadDocument[] = [];
  // If two documents have the same id, the first one is used.
  for (const document of new Map(
    allDocuments.toReversed().map((each) => [each.id, each]),
  ).values()) {
    // Thousands of documents must not block the event loop for readers.
    if (unread.length % documentsPerTick === 0) await yieldToEventLoop();
    unread.push(toUnread(document));
  }
  const versions = new Map(unread.map(({ id, version }) => [id, version]));
  const changed = await readBodies(
    services,
    unread.filter(({ id, version }) => knownVersions.get(id) !== version),
  );

  for (const { documents } of features) {
    if (!documents?.stored) continue;
    const { batchSize, versions: findVersions, read } = documents.stored;
    const rows = await findVersions(services);
    for (const { id, version } of rows) versions.set(id, version);
    const ids = rows
      .filter(({ id, version }) => knownVersions.get(id) !== version)
      .map(({ id }) => id);
    for (let start = 0; start < ids.length; start += batchSize) {
      const documentBatch = await read(services, ids.slice(start, start + batchSize));
      for (const document of await readBodies(services, documentBatch.map(toUnread)))
        changed.push({ ...document, version: versions.get(document.id) ?? document.version });
    }
  }
  return { versions, changed };
}

/** The labels of links to a page are its aliases. */
function listPageDocuments(features: SearchableFeature[], site: SiteContent): SearchDocument[] {
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

/** The version is a hash of everything unread, so each text is read once, even if that fails. */
function toUnread(input: SearchDocument): UnreadDocument {
  const {
    source: fullSource,
    aliases = "",
    detail = "",
    summary = "",
    body = "",
    keywords = "",
  } = input;
  const source = fullSource && { ...fullSource, text: fullSource.text.slice(0, maxBodyLength) };
  const document = {
    id: toStorable(input.id),
    kind: input.kind,
    link: toStorable(input.link),
    title: toStorable(input.title),
    aliases,
    keywords: toStorable(keywords),
    detail: toStorable(detail),
    summary: toStorable(summary),
    body: toStorable(body.slice(0, maxBodyLength)),
    at: input.at ?? null,
    isSample: input.isSample ?? false,
  };
  const version = createHash("sha1")
    .update(JSON.stringify([document, source]))
    .digest("base64url");
  return { ...document, version, source: source ?? null };
}
