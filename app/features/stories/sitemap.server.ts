import { and, count, desc, eq, gt, isNotNull, max, sql } from "drizzle-orm";
import { readSlugBatches } from "../../../db/slug-batches.ts";
import type { PageServices } from "../../platform/services.ts";
import {
  maxNewsArticles,
  type SitemapArticle,
  type SitemapPage,
  type SitemapSource,
  sitemapBatchSize,
} from "../../platform/sitemap.ts";
import { siteSettingsFile } from "../brand/files.server.ts";
import { readFileStories } from "./file-stories.server.ts";
import { storySubmissions } from "./readers/schema.server.ts";
import { datesOf, type StoryRecord } from "./record.server.ts";

const { slug, title, publishedAt, state, decidedAt } = storySubmissions;
const storyPath = (id: string) => `/news/${id}`;

/** Our published stories, from files and from readers, without samples. */
export const storySitemap: SitemapSource = {
  async *pages(services) {
    const files = readFileStories(services);
    const pages = filePages(files, services);
    for (let start = 0; start < pages.length; start += sitemapBatchSize)
      yield pages.slice(start, start + sitemapBatchSize);
    // A new file with the path of a reader's story is not refused at once.
    const filePaths = new Set(files.map(({ id }) => storyPath(id)));
    for await (const pages of approvedPages(services))
      yield pages.filter(({ path }) => !filePaths.has(path));
  },

  async summarize(services) {
    const files = filePages(readFileStories(services), services);
    const [rows] = await services.db
      .select({ count: count(), changedAt: max(decidedAt) })
      .from(storySubmissions)
      .where(isApproved);
    const changes = [...files, ...(rows ? [rows] : [])].flatMap(({ changedAt }) => changedAt ?? []);
    return {
      maxCount: files.length + (rows?.count ?? 0),
      changedAt: changes.length > 0 ? latest(changes) : null,
    };
  },

  async news(services, since) {
    const files = readFileStories(services);
    const filePaths = new Set(files.map(({ id }) => storyPath(id)));
    const readerArticles = await approvedArticles(services, since);
    return [
      ...files
        .filter(({ isSample, publishedAt }) => !isSample && publishedAt > since)
        .map(({ id, title, publishedAt }) => ({ path: storyPath(id), title, publishedAt })),
      ...readerArticles.filter(({ path }) => !filePaths.has(path)),
    ];
  },
};

function filePages(files: StoryRecord[], { site, clock }: PageServices): SitemapPage[] {
  const { timeZone } = site.read(siteSettingsFile);
  const now = clock();
  return files
    .filter(({ isSample }) => !isSample)
    .map((record) => {
      const { id, publishedAt, updated, corrections } = record;
      const hasChanges = updated !== null || corrections.length > 0;
      return {
        path: storyPath(id),
        // Most stories never change, and describing dates takes a while.
        changedAt: hasChanges
          ? latest([datesOf(record, timeZone, now).modifiedAt, publishedAt])
          : publishedAt,
      };
    });
}

const latest = (instants: Date[]) =>
  new Date(Math.max(...instants.map((instant) => instant.getTime())));

const isApproved = and(eq(state, "approved"), isNotNull(slug));

async function* approvedPages({ db }: PageServices): AsyncGenerator<SitemapPage[]> {
  const batches = readSlugBatches(db, {
    table: storySubmissions,
    slug,
    instant: sql`${decidedAt}`,
    condition: sql`${state} = 'approved'`,
    batchSize: sitemapBatchSize,
  });
  for await (const batch of batches)
    yield batch.map((row) => ({ path: storyPath(row.slug), changedAt: row.instant }));
}

async function approvedArticles({ db }: PageServices, since: Date): Promise<SitemapArticle[]> {
  const rows = await db
    .select({ slug, title, publishedAt })
    .from(storySubmissions)
    .where(and(isApproved, gt(publishedAt, since)))
    .orderBy(desc(publishedAt))
    .limit(maxNewsArticles);
  return rows.map((row) => ({
    path: storyPath(row.slug ?? ""),
    title: row.title,
    publishedAt: row.publishedAt ?? since,
  }));
}
