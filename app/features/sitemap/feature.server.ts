import type { Feature } from "../../platform/feature.ts";
import type { PageServices } from "../../platform/services.ts";
import { maxNewsArticles, type SitemapPage, type Sitemaps } from "../../platform/sitemap.ts";
import { siteSettingsFile } from "../brand/files.server.ts";
import {
  sitemapEnd,
  sitemapStart,
  writeNewsSitemap,
  writePages,
  writeSitemapIndex,
} from "./write.server.ts";

export const sitemap: Feature = { name: "sitemap" };

export type SitemapFeature = Pick<Feature, "name" | "pages" | "sitemap">;

/** Google News wants to know only about stories of the last 48 hours. */
const newsWindowMs = 48 * 60 * 60 * 1000;

/** The kind of the pages that show no record, such as /about and /sports. */
const staticKind = "pages";

/** Creates the sitemaps, with the pages that all features declare. */
export function createSitemaps(features: SitemapFeature[]): Sitemaps {
  const kinds = [staticKind, ...features.flatMap(({ name, sitemap }) => (sitemap ? [name] : []))];

  return {
    async writeIndex(services) {
      const { origin } = services.site.read(siteSettingsFile);
      const parts = [];
      for (const kind of kinds)
        for (const [index, pages] of (await readParts(features, services, kind)).entries())
          parts.push({
            path: `/sitemap/${partFile({ kind, number: index + 1 })}`,
            changedAt: findLastChange(pages),
          });
      return writeSitemapIndex(parts, origin);
    },

    async writePart(services, file) {
      const { origin } = services.site.read(siteSettingsFile);
      const name = parsePartFile(file);
      if (!name || !kinds.includes(name.kind)) return null;
      const pages = (await readParts(features, services, name.kind))[name.number - 1];
      return pages ? sitemapStart + writePages(pages, origin) + sitemapEnd : null;
    },

    async writeNews(services) {
      const { clock, expireAt, site } = services;
      const since = new Date(clock().getTime() - newsWindowMs);
      const lists = await Promise.all(
        features.map(async (feature) => feature.sitemap?.news?.(services, since) ?? []),
      );
      const articles = lists
        .flat()
        .toSorted((one, other) => other.publishedAt.getTime() - one.publishedAt.getTime())
        .slice(0, maxNewsArticles);
      const oldest = articles.at(-1);
      if (oldest) expireAt(new Date(oldest.publishedAt.getTime() + newsWindowMs));
      return writeNewsSitemap(articles, site.read(siteSettingsFile));
    },
  };
}

/** The protocol allows 50,000, but this many are written in a few milliseconds. */
export const maxPagesPerPart = 5_000;

/** A part is named after its kind: stories.xml, and then stories-2.xml and so on. */
type PartName = { kind: string; number: number };

const partFile = ({ kind, number }: PartName) => `${kind}${number === 1 ? "" : `-${number}`}.xml`;

function parsePartFile(file: string): PartName | null {
  const [, kind, number = "1"] = /^([a-z]+)(?:-([1-9]\d{0,4}))?\.xml$/.exec(file) ?? [];
  const name = kind === undefined ? null : { kind, number: Number(number) };
  // Each part has only one path.
  return name && partFile(name) === file ? name : null;
}

/** Returns the pages of a kind, part by part. There are none if the kind does not exist. */
async function readParts(
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
function findLastChange(pages: SitemapPage[]): Date | null {
  const times = pages.map(({ changedAt }) => changedAt?.getTime() ?? Number.NaN);
  const last = Math.max(...times);
  return Number.isNaN(last) ? null : new Date(last);
}
