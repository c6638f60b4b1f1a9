import type { PageServices } from "./services.ts";

export type SitemapPage = {
  path: string;
  /**
   * When the content of the page last changed. Null if that is not known, because search engines
   * stop trusting the dates of a site that gets them wrong.
   */
  changedAt: Date | null;
};

export type SitemapArticle = { path: string; title: string; publishedAt: Date };

/**
 * A feature's records that have a page of their own. Samples, drafts and pages that search engines
 * must not list are not among them.
 */
export type SitemapSource = {
  /** Returns all pages, always in the same order. */
  pages(services: PageServices): Promise<SitemapPage[]>;
  /** Returns the newest stories since an instant: at most as many as the news sitemap may have. */
  news?(services: PageServices, since: Date): Promise<SitemapArticle[]>;
};

/** The maximum number of stories in a news sitemap, as Google defines it. */
export const maxNewsArticles = 1_000;

export type Sitemaps = {
  /** Returns the index, which lists the parts. */
  writeIndex(services: PageServices): Promise<string>;
  /** Returns a part by the name that the index gives it, or null if there is no such part. */
  writePart(services: PageServices, file: string): Promise<string | null>;
  /** Returns the stories of the last 48 hours, in the format of Google News. */
  writeNews(services: PageServices): Promise<string>;
};
