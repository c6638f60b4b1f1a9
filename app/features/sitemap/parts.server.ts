import type { Feature } from "../../platform/feature.ts";
import type { PageServices } from "../../platform/services.ts";
import type { SitemapPage } from "../../platform/sitemap.ts";

export type SitemapFeature = Pick<Feature, "name" | "pages" | "sitemap">;

/** The protocol allows 50,000, but this many are written in a few milliseconds. */
export const maxPagesPerPart = 5_000;

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

/** Returns the pages of a kind, part by part. There are none if the kind does not exist. */
export async function readParts(
  features: SitemapFeature[],
  services: PageServices,
  kind: string,
): Promise<SitemapPage[][]> {
  const source = features.find(({ name }) => name === kind)?.sitemap;
  const pages =
    kind === staticKind ? staticPages(features, services) : ((await source?.pages(services)) ?? []);
  return Array.from({ length: Math.ceil(pages.length / maxPagesPerPart) }, (_, index) =>
    pages.slice(index * maxPagesPerPart, (index + 1) * maxPagesPerPart),
  );
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

/** When one of the pages last changed; null if that is not known of all of them. */
export function findLastChange(pages: SitemapPage[]): Date | null {
  const times = pages.map(({ changedAt }) => changedAt?.getTime() ?? Number.NaN);
  const last = Math.max(...times);
  return Number.isNaN(last) ? null : new Date(last);
}
