import { escapeXml } from "../../lib/text/html.ts";
import type { Feature } from "../../platform/feature.ts";
import {
  maxNewsArticles,
  type SitemapArticle,
  type SitemapPage,
  type SitemapSource,
  type Sitemaps,
} from "../../platform/sitemap.ts";
import type { SiteContent } from "../../site-files/site-file.server.ts";
import { siteSettingsFile } from "../brand/files.server.ts";

// The formats are defined at https://www.sitemaps.org/protocol.html and, for news, at
// https://developers.google.com/search/docs/crawling-indexing/sitemaps/news-sitemap.

const declaration = '<?xml version="1.0" encoding="UTF-8"?>\n';
const namespace = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"';
const newsNamespace = 'xmlns:news="http://www.google.com/schemas/sitemap-news/0.9"';

const urlsetStart = `${declaration}<urlset ${namespace}>\n`;
const urlsetEnd = "</urlset>\n";

/** The language of all our texts, as an ISO 639 code. */
const language = "en";

const writePages = (pages: SitemapPage[], origin: string) =>
  pages.map((page) => `<url>${writePage(page, origin)}</url>\n`).join("");

const writePage = ({ path, changedAt }: SitemapPage, origin: string) =>
  location(path, origin) + (changedAt ? `<lastmod>${formatInstant(changedAt)}</lastmod>` : "");

/**
 * A sitemap must contain a page, so without recent stories it contains the front page, which is not
 * marked as a story.
 */
function writeNewsSitemap(
  articles: SitemapArticle[],
  { origin, name }: { origin: string; name: string },
): string {
  const publication =
    `<news:publication><news:name>${escapeXml(name)}</news:name>` +
    `<news:language>${language}</news:language></news:publication>`;
  const urls = articles.map(
    ({ path, title, publishedAt }) =>
      `<url>${location(path, origin)}<news:news>${publication}` +
      `<news:publication_date>${formatInstant(publishedAt)}</news:publication_date>` +
      `<news:title>${escapeXml(title)}</news:title></news:news></url>\n`,
  );
  return [
    `${declaration}<urlset ${namespace} ${newsNamespace}>\n`,
    ...(urls.length > 0 ? urls : [writePages([{ path: "/", changedAt: null }], origin)]),
    urlsetEnd,
  ].join("");
}

/**
 * Most paths contain nothing to encode or escape, and doing so takes most of the time of a sitemap.
 */
const location = (path: string, origin: string) =>
  `<loc>${/^[\w./-]+$/.test(path) ? origin + path : escapeXml(new URL(path, origin).href)}</loc>`;

/** Formats an instant without fractions of a second, which some programs do not accept. */
const formatInstant = (instant: Date) => `${instant.toISOString().slice(0, 19)}Z`;

export const sitemap: Feature = { name: "sitemap" };

export type SitemapFeature = Pick<Feature, "name" | "pages" | "sitemap">;

/** Google News wants to know only about stories of the last 48 hours. */
const newsWindowMs = 48 * 60 * 60 * 1000;

/** Creates the sitemaps, with the pages that all features declare. */
export function createSitemaps(features: SitemapFeature[]): Sitemaps {
  /**
   * The pages by their kind. "pages" are those that show no record, such as /about. A part of the
   * sitemap has all pages of a kind, of which the protocol allows 50,000.
   */
  const sources = new Map<string, SitemapSource["pages"]>([
    ["pages", async ({ site }) => listStaticPages(features, site)],
    ...features.flatMap(({ name, sitemap }) => (sitemap ? [[name, sitemap.pages] as const] : [])),
  ]);

  return {
    async writeIndex(services) {
      const { origin } = services.site.read(siteSettingsFile);
      const lines: string[] = [];
      for (const [kind, readPages] of sources) {
        const pages = await readPages(services);
        if (pages.length === 0) continue;
        const part = { path: `/sitemap/${kind}.xml`, changedAt: findLastChange(pages) };
        lines.push(`<sitemap>${writePage(part, origin)}</sitemap>\n`);
      }
      return `${declaration}<sitemapindex ${namespace}>\n${lines.join("")}</sitemapindex>\n`;
    },

    async writePart(services, file) {
      const { origin } = services.site.read(siteSettingsFile);
      const pages = (await sources.get(/^(.+)\.xml$/.exec(file)?.[1] ?? "")?.(services)) ?? [];
      return pages.length > 0 ? urlsetStart + writePages(pages, origin) + urlsetEnd : null;
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

/**
 * The texts of these pages are in files, and a file does not say when its page last changed for
 * readers, so they have no date.
 */
function listStaticPages(features: SitemapFeature[], site: SiteContent): SitemapPage[] {
  const declared = features.flatMap(({ pages }) => Object.entries(pages?.(site) ?? {}));
  const paths = declared
    // A path with a fragment is a part of another page.
    .filter(([path, { isUnlisted }]) => !isUnlisted && !path.includes("#"))
    .map(([path]) => path);
  return [...new Set(["/", ...paths])].map((path) => ({ path, changedAt: null }));
}

/** Returns when one of the pages last changed, or null if the date of any page is unknown. */
function findLastChange(pages: SitemapPage[]): Date | null {
  const times = pages.map(({ changedAt }) => changedAt?.getTime() ?? Number.NaN);
  const last = Math.max(...times);
  return Number.isNaN(last) ? null : new Date(last);
}
