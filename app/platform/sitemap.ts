import type { PageServices } from "./services.ts";

/** A page that search engines should know. */
export type SitemapPage = {
  path: string;
  /** Null if not known: search engines stop trusting the dates of a site that gets them wrong. */
  changedAt: Date | null;
};

/** A story for the news sitemap. */
export type SitemapArticle = { path: string; title: string; publishedAt: Date };

/** A feature's records that have a page, without samples, drafts and pages that are not indexed. */
export type SitemapSource = {
  /** Returns all pages, always in the same order. */
  pages(services: PageServices): Promise<SitemapPage[]>;
  /** Returns the newest stories since an instant: at most as many as the news sitemap may have. */
  news?(services: PageServices, since: Date): Promise<SitemapArticle[]>;
};

/** The maximum number of stories in a news sitemap, as Google defines it. */
export const maxNewsArticles = 1_000;

/** The sitemaps of the site, written from what all features declare. */
export type Sitemaps = {
  /** Returns the index, which lists the parts. */
  writeIndex(services: PageServices): Promise<string>;
  /** Returns a part by the name that the index gives it, or null if there is no such part. */
  writePart(services: PageServices, file: string): Promise<string | null>;
  /** Returns the stories of the last 48 hours, in the format of Google News. */
  writeNews(services: PageServices): Promise<string>;
};
