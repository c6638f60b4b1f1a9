import { createHash } from "node:crypto";
import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import { WorkRefused } from "../../../lib/external/work-refused.ts";
import type { SourceText } from "../../../lib/text/plain-text.server.ts";
import type { Feature } from "../../../platform/feature.ts";
import type {
  SearchDocument as DeclaredDocument,
  UnreadText,
} from "../../../platform/search-document.ts";
import type { Services } from "../../../platform/services.ts";
import type { SiteContent } from "../../../site-files/site-file.server.ts";
import { textsTask } from "../tasks.server.ts";
import type { SearchDocument } from "./write.server.ts";

const documentsPerTick = 50;

/** What features declare for search. Headlines are not among it: search reads their own table. */
export type SearchableFeature = Pick<Feature, "documents" | "pages" | "linkLabels">;

/** Gathers everything that readers can search for, from every feature, with unread texts. */
export async function gatherDocuments(
  features: SearchableFeature[],
  services: Services,
): Promise<UnreadDocument[]> {
  const declared = listPageDocuments(features, services.site);
  for (const { documents } of features)
    if (documents) declared.push(...(await documents.list(services)));
  // If two documents have the same id, the first one is used.
  const byId = new Map<string, UnreadDocument>();
  for (const [index, document] of declared.entries()) {
    // Thousands of documents must not block the event loop for readers.
    if (index % documentsPerTick === 0) await yieldToEventLoop();
    const unread = toUnread(document);
    if (!byId.has(unread.id)) byId.set(unread.id, unread);
  }
  return [...byId.values()];
}

/** Returns the static pages. The labels of links to a page become aliases of the page. */
function listPageDocuments(features: SearchableFeature[], site: SiteContent): DeclaredDocument[] {
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

/**
 * Adds the version, which is a hash of the fields and of the source. So each source is read only
 * once, even if reading it fails.
 */
function toUnread(input: DeclaredDocument): UnreadDocument {
  const {
    source: fullSource,
    aliases = "",
    detail = "",
    summary = "",
    body = "",
    keywords = "",
  } = input;
  const source =
    fullSource && "text" in fullSource
      ? { ...fullSource, text: fullSource.text.slice(0, maxBodyLength) }
      : fullSource;
  const document = {
    id: toStorable(input.id),
    kind: input.kind,
    link: toStorable(input.link),
    title: toStorable(input.title),
    aliases: toStorable(aliases),
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

/** The body still has to be made from `source`. If `source` is null, the body is complete. */
export type UnreadDocument = SearchDocument & { source: SourceText | UnreadText | null };

/** Text beyond this length cannot be searched. */
const maxBodyLength = 100_000;
/** Text from other sites may contain NUL and lone surrogates, which the database refuses. */
const toStorable = (text: string) => text.replaceAll("\0", "").toWellFormed();

/**
 * Reads the texts in a worker thread. A document whose text takes too long to read can still be
 * found by its title and its other fields.
 */
export async function readBodies(
  services: Pick<Services, "log" | "runInWorker">,
  unread: UnreadDocument[],
): Promise<SearchDocument[]> {
  const documents: SearchDocument[] = [];
  for (const { source, ...document } of unread) {
    const body = source ? await readBody(services, document.id, source) : document.body;
    documents.push({ ...document, body: toStorable(body.slice(0, maxBodyLength)) });
  }
  return documents;
}

async function readBody(
  { log, runInWorker }: Pick<Services, "log" | "runInWorker">,
  id: string,
  source: SourceText | UnreadText,
) {
  const { format } = source;
  const text = "text" in source ? source.text : await source.read();
  const input = { format, text: text.slice(0, maxBodyLength) };
  const result = await runInWorker(textsTask, input).catch((error: unknown) => {
    if (error instanceof WorkRefused) throw error;
    return { kind: "broken" as const };
  });
  if (result.kind === "done") return result.value;
  log.warn("search.text_not_read", { document: id, cause: result.kind });
  return "";
}
