import { escapeXml } from "../../lib/text/html.ts";
import type { SitemapArticle, SitemapPage } from "../../platform/sitemap.ts";

// The formats are defined at https://www.sitemaps.org/protocol.html and, for news, at
// https://developers.google.com/search/docs/crawling-indexing/sitemaps/news-sitemap.

const declaration = '<?xml version="1.0" encoding="UTF-8"?>\n';
const namespace = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"';
const newsNamespace = 'xmlns:news="http://www.google.com/schemas/sitemap-news/0.9"';

export const sitemapStart = `${declaration}<urlset ${namespace}>\n`;
export const sitemapEnd = "</urlset>\n";

/** The language of all our texts, as an ISO 639 code. */
const language = "en";

export const writePages = (pages: SitemapPage[], origin: string): string =>
  pages
    .map(
      ({ path, changedAt }) => `<url>${location(path, origin)}${lastModified(changedAt)}</url>\n`,
    )
    .join("");

export const writeSitemapIndex = (parts: SitemapPage[], origin: string): string =>
  [
    `${declaration}<sitemapindex ${namespace}>\n`,
    ...parts.map(
      ({ path, changedAt }) =>
        `<sitemap>${location(path, origin)}${lastModified(changedAt)}</sitemap>\n`,
    ),
    "</sitemapindex>\n",
  ].join("");

/** A sitemap needs a page: without recent stories the front page, not presented as a story. */
export function writeNewsSitemap(
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
    sitemapEnd,
  ].join("");
}

/** Most paths contain nothing to encode or escape, and doing both takes most of the time. */
const location = (path: string, origin: string) =>
  `<loc>${/^[\w./-]+$/.test(path) ? origin + path : escapeXml(new URL(path, origin).href)}</loc>`;

const lastModified = (instant: Date | null) =>
  instant ? `<lastmod>${formatInstant(instant)}</lastmod>` : "";

/** Formats an instant without fractions of a second, which some programs do not accept. */
const formatInstant = (instant: Date) => `${instant.toISOString().slice(0, 19)}Z`;
