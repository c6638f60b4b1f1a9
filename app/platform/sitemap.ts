import type { PageServices } from "./services.ts";

/** A page that search engines should know. */
export type SitemapPage = {
  path: string;
  /**
   * When the content of the page last changed. Null if that is not known: search engines stop
   * trusting the dates of a site that gets them wrong.
   */
  changedAt: Date | null;
};

/** A story for the news sitemap. */
export type SitemapArticle = { path: string; title: string; publishedAt: Date };

/**
 * A feature's records that have a page of their own. Samples, drafts and pages that search engines
 * must not list are not among them.
 */
export type SitemapSource = {
  /**
   * Returns all pages in batches of at most `sitemapBatchSize`, always in the same order. The server
   * handles other requests between two batches.
   */
  pages(services: PageServices): AsyncIterable<SitemapPage[]>;
  /**
   * For large numbers of pages: returns how many there are at most, and the last change of any of
   * them. The index then need not read all pages.
   */
  summarize?(services: PageServices): Promise<{ maxCount: number; changedAt: Date | null }>;
  /** Returns the newest stories since an instant: at most as many as the news sitemap may have. */
  news?(services: PageServices, since: Date): Promise<SitemapArticle[]>;
};

/** The server writes this many pages in a few milliseconds. */
export const sitemapBatchSize = 2_000;

/** The maximum number of stories in a news sitemap, as Google defines it. */
export const maxNewsArticles = 1_000;

/** The sitemaps of the site, written from what all features declare. */
export type Sitemaps = {
  /** Returns the index, which lists the parts. */
  writeIndex(services: PageServices): Promise<string>;
  /** Returns a part by the name that the index gives it, or null if there is no such part. */
  writePart(services: PageServices, file: string): Promise<Uint8Array<ArrayBuffer> | null>;
  /** Returns the stories of the last 48 hours, in the format of Google News. */
  writeNews(services: PageServices): Promise<string>;
};
