import type { Feature } from "../../platform/feature.ts";
import { maxNewsArticles, type Sitemaps } from "../../platform/sitemap.ts";
import { siteSettingsFile } from "../brand/files.server.ts";
import {
  findLastChange,
  parsePartFile,
  partFile,
  readParts,
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

/** Creates the sitemaps, with the pages that all features declare. */
export function createSitemaps(features: SitemapFeature[]): Sitemaps {
  const kinds = sitemapKinds(features);

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
