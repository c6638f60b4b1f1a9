import { and, asc, eq, isNotNull } from "drizzle-orm";
import { findLastChange } from "../../lib/article-dates.ts";
import type { SitemapSource } from "../../platform/sitemap.ts";
import { storyPath } from "./model.ts";
import { storySubmissions } from "./schema.server.ts";
import { readPublishedFileStories, readStoriesOrSamples } from "./stories.server.ts";

const { slug, state, decidedAt } = storySubmissions;
/** Our published stories, in files and in the database, without samples. */
export const storySitemap: SitemapSource = {
  async pages(services) {
    const rows = await services.db
      .select({ slug, decidedAt })
      .from(storySubmissions)
      .where(and(eq(state, "approved"), isNotNull(slug)))
      .orderBy(asc(slug));
    const now = services.clock();
    const files = (await readPublishedFileStories(services)).filter(({ isSample }) => !isSample);
    return [
      ...files.map(({ slug, publishedAt, changesAt }) => ({
        path: storyPath(slug),
        changedAt: findLastChange(publishedAt, changesAt, now),
      })),
      ...rows.map(({ slug, decidedAt }) => ({ path: storyPath(slug ?? ""), changedAt: decidedAt })),
    ];
  },

  async news(services, since) {
    const stories = await readStoriesOrSamples(services);
    return stories
      .filter(({ isSample, publishedAt }) => !isSample && publishedAt > since)
      .map(({ slug, title, publishedAt }) => ({ path: storyPath(slug), title, publishedAt }));
  },
};
