import { and, asc, eq, isNotNull } from "drizzle-orm";
import type { PageServices } from "../../platform/services.ts";
import type { SitemapPage, SitemapSource } from "../../platform/sitemap.ts";
import { siteSettingsFile } from "../brand/files.server.ts";
import { storySubmissions } from "./readers/schema.server.ts";
import { datesOf, type StoryRecord } from "./record.server.ts";
import { readFileStories, readStories } from "./stories.server.ts";

const { slug, state, decidedAt } = storySubmissions;
const storyPath = (id: string) => `/news/${id}`;

/** Our published stories, in files and in the database, without samples. */
export const storySitemap: SitemapSource = {
  async pages(services) {
    const rows = await services.db
      .select({ slug, decidedAt })
      .from(storySubmissions)
      .where(and(eq(state, "approved"), isNotNull(slug)))
      .orderBy(asc(slug));
    return [
      ...filePages(await readFileStories(services), services),
      ...rows.map(({ slug, decidedAt }) => ({ path: storyPath(slug ?? ""), changedAt: decidedAt })),
    ];
  },

  async news(services, since) {
    const stories = await readStories(services);
    return stories
      .filter(({ isSample, publishedAt }) => !isSample && publishedAt > since)
      .map(({ id, title, publishedAt }) => ({ path: storyPath(id), title, publishedAt }));
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
