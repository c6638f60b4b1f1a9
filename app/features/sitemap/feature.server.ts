import type { Feature } from "../../platform/feature.ts";
import { maxNewsArticles, type Sitemaps } from "../../platform/sitemap.ts";
import { siteSettingsFile } from "../brand/files.server.ts";
import {
  listParts,
  pagesOfKind,
  pagesOfPart,
  parsePartFile,
  partFile,
  type SitemapFeature,
  sitemapKinds,
} from "./parts.server.ts";
import {
  sitemapEnd,
  sitemapStart,
  writeNewsSitemap,
  writePages,
  writeSitemapIndex,
} from "./write.server.ts";

export const sitemap: Feature = { name: "sitemap" };

/** Google News wants to know only about stories of the last 48 hours. */
const newsWindowMs = 48 * 60 * 60 * 1000;

/**
 * How long the number of parts of a kind is remembered, so that requests for parts that do not
 * exist do not read all pages each time. The index always counts again.
 */
const partCountMs = 60_000;

/** Creates the sitemaps, with the pages that all features declare. */
export function createSitemaps(features: SitemapFeature[]): Sitemaps {
  const kinds = sitemapKinds(features);
  const partCounts = new Map<string, { count: number; validUntil: number }>();

  const rememberCount = (kind: string, count: number) =>
    partCounts.set(kind, { count, validUntil: performance.now() + partCountMs });

  function isKnownToBeMissing(kind: string, number: number): boolean {
    const known = partCounts.get(kind);
    // The first part is cheap to read if there are no pages, and must be there with the first page.
    if (!known || number === 1) return false;
    return number > known.count && performance.now() < known.validUntil;
  }

  return {
    async writeIndex(services) {
      const { origin } = services.site.read(siteSettingsFile);
      const parts = [];
      for (const kind of kinds) {
        const changes = await listParts(features, services, kind);
        rememberCount(kind, changes.length);
        for (const [index, changedAt] of changes.entries())
          parts.push({ path: `/sitemap/${partFile({ kind, number: index + 1 })}`, changedAt });
      }
      return writeSitemapIndex(parts, origin);
    },

    async writePart(services, file) {
      const { origin } = services.site.read(siteSettingsFile);
      const name = parsePartFile(file);
      if (!name || !kinds.includes(name.kind)) return null;
      if (isKnownToBeMissing(name.kind, name.number)) return null;
      const chunks: Buffer[] = [];
      const batches = pagesOfKind(features, services, name.kind);
      for await (const pages of pagesOfPart(batches, name.number))
        chunks.push(Buffer.from(writePages(pages, origin)));
      if (chunks.length === 0) {
        rememberCount(name.kind, name.number - 1);
        return null;
      }
      return Buffer.concat([Buffer.from(sitemapStart), ...chunks, Buffer.from(sitemapEnd)]);
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
