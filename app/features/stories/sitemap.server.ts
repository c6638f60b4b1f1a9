import { and, asc, desc, eq, gt, isNotNull } from "drizzle-orm";
import type { PageServices } from "../../platform/services.ts";
import {
  maxNewsArticles,
  type SitemapArticle,
  type SitemapPage,
  type SitemapSource,
} from "../../platform/sitemap.ts";
import { siteSettingsFile } from "../brand/files.server.ts";
import { readFileStories } from "./file-stories.server.ts";
import { storySubmissions } from "./readers/schema.server.ts";
import { datesOf, type StoryRecord } from "./record.server.ts";

const { slug, title, publishedAt, state, decidedAt } = storySubmissions;
const storyPath = (id: string) => `/news/${id}`;

/** Our published stories, in files and in the database, without samples. */
export const storySitemap: SitemapSource = {
  async pages(services) {
    const files = await readFileStories(services);
    const fileIds = new Set(files.map(({ id }) => id));
    const rows = await services.db
      .select({ slug, decidedAt })
      .from(storySubmissions)
      .where(isApproved)
      .orderBy(asc(slug));
    return [
      ...filePages(files, services),
      // A new file with the path of such a story is not refused at once.
      ...rows.flatMap(({ slug, decidedAt }) =>
        slug === null || fileIds.has(slug) ? [] : [{ path: storyPath(slug), changedAt: decidedAt }],
      ),
    ];
  },

  async news(services, since) {
    const files = await readFileStories(services);
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
