import type { Feature } from "../../platform/feature.ts";
import type { PageServices } from "../../platform/services.ts";
import type { SitemapPage } from "../../platform/sitemap.ts";

export type SitemapFeature = Pick<Feature, "name" | "pages" | "sitemap">;

/**
 * The maximum number of pages in a part, as the protocol defines it. Our URLs have less than 300
 * characters, so that a part never reaches the maximum size of 50 MB.
 */
export const maxPagesPerPart = 50_000;

/** A part is named after its kind: stories.xml, and then stories-2.xml and so on. */
type PartName = { kind: string; number: number };

export const partFile = ({ kind, number }: PartName) =>
  `${kind}${number === 1 ? "" : `-${number}`}.xml`;

export function parsePartFile(file: string): PartName | null {
  const [, kind, number = "1"] = /^([a-z]+)(?:-([1-9]\d{0,4}))?\.xml$/.exec(file) ?? [];
  const name = kind === undefined ? null : { kind, number: Number(number) };
  // Each part has only one path.
  return name && partFile(name) === file ? name : null;
}

/** The kind of the pages that show no record, such as /about and /sports. */
const staticKind = "pages";

export const sitemapKinds = (features: SitemapFeature[]): string[] => [
  staticKind,
  ...features.flatMap(({ name, sitemap }) => (sitemap ? [name] : [])),
];

/** Returns all pages of a kind, in batches. There are none if the kind does not exist. */
export async function* pagesOfKind(
  features: SitemapFeature[],
  services: PageServices,
  kind: string,
): AsyncGenerator<SitemapPage[]> {
  if (kind === staticKind) yield staticPages(features, services);
  const source = features.find(({ name }) => name === kind)?.sitemap;
  if (source) yield* source.pages(services);
}

/** Their texts are in files, and nothing says when a reader would notice a change. */
function staticPages(features: SitemapFeature[], { site }: PageServices): SitemapPage[] {
  const declared = features.flatMap(({ pages }) => Object.entries(pages?.(site) ?? {}));
  const paths = declared
    // A path with a fragment is a part of another page.
    .filter(([path, { isUnlisted }]) => !isUnlisted && !path.includes("#"))
    .map(([path]) => path);
  return [...new Set(["/", ...paths])].map((path) => ({ path, changedAt: null }));
}

/** Lists the parts of a kind, each with the date of its last change if all its pages have one. */
export async function listParts(
  features: SitemapFeature[],
  services: PageServices,
  kind: string,
): Promise<(Date | null)[]> {
  const source = features.find(({ name }) => name === kind)?.sitemap;
  const summary = await source?.summarize?.(services);
  if (summary && summary.maxCount <= maxPagesPerPart)
    return summary.maxCount === 0 ? [] : [summary.changedAt];
  const parts: { changedAt: Date | null }[] = [];
  let count = 0;
  for await (const batch of pagesOfKind(features, services, kind))
    for (const { changedAt } of batch) {
      const part = parts.at(-1);
      const isFirst = count % maxPagesPerPart === 0;
      count += 1;
      if (isFirst || !part) parts.push({ changedAt });
      else if (!changedAt || !part.changedAt) part.changedAt = null;
      else if (changedAt > part.changedAt) part.changedAt = changedAt;
    }
  return parts.map(({ changedAt }) => changedAt);
}

/** Returns the pages of one part, in batches, and stops reading after its last page. */
export async function* pagesOfPart(
  batches: AsyncIterable<SitemapPage[]>,
  number: number,
): AsyncGenerator<SitemapPage[]> {
  const first = (number - 1) * maxPagesPerPart;
  const end = first + maxPagesPerPart;
  let position = 0;
  for await (const batch of batches) {
    const pages = batch.slice(Math.max(0, first - position), Math.max(0, end - position));
    if (pages.length > 0) yield pages;
    position += batch.length;
    if (position >= end) return;
  }
}
