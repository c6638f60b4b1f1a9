import { and, asc, eq, lte } from "drizzle-orm";
import { describeDates } from "../../../lib/article-dates.ts";
import type { SitemapSource } from "../../../platform/sitemap.ts";
import { siteSettingsFile } from "../../brand/files.server.ts";
import { nextPublishDate } from "../backend/load.server.ts";
import { ownDomain } from "../backend/source.server.ts";
import { postPath } from "../paths.ts";
import { blogPosts } from "../schema.server.ts";
import { readFilePosts } from "./published.server.ts";

/**
 * Our published posts. The posts of a sister city are in that city's sitemap. There are none if the
 * blog comes from an external backend, because its list has no dates and only ten posts per page.
 */
export const postSitemap: SitemapSource = {
  async pages(services) {
    // This function also adds the tag of the blog.
    const changesAt = await nextPublishDate(services);
    if (services.blogBackend) return [];
    if (changesAt) services.expireAt(changesAt);
    const { db, site, clock } = services;
    const { timeZone } = site.read(siteSettingsFile);
    const now = clock();
    const { files, fileSlugs } = await readFilePosts(services);
    const { slug, domain, state, date, publishAt, createdAt, updated, corrections } = blogPosts;
    const rows = await db
      .select({ slug, date, publishAt, createdAt, updated, corrections })
      .from(blogPosts)
      .where(and(eq(domain, ownDomain(site)), eq(state, "published"), lte(publishAt, now)))
      .orderBy(asc(slug));
    return [
      ...files.map((post) => ({
        path: postPath(post.slug),
        changedAt: describeDates(post, timeZone, now)?.modifiedAt ?? post.publishAt,
      })),
      ...rows
        .filter((row) => !fileSlugs.has(row.slug))
        .map(({ publishAt, createdAt, ...row }) => {
          const changedAt = describeDates(row, timeZone, now)?.modifiedAt ?? publishAt;
          // A post with an old date may have been imported only recently.
          const lastChange = Math.max(changedAt.getTime(), createdAt.getTime());
          return { path: postPath(row.slug), changedAt: new Date(lastChange) };
        }),
    ];
  },
};
