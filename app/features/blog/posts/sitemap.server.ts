import { lte, sql } from "drizzle-orm";
import { readSlugBatches } from "../../../../db/slug-batches.ts";
import { describeDates } from "../../../lib/article-dates.ts";
import type { PageServices } from "../../../platform/services.ts";
import {
  type SitemapPage,
  type SitemapSource,
  sitemapBatchSize,
} from "../../../platform/sitemap.ts";
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
  async *pages(services) {
    // This function also adds the tag of the blog.
    const changesAt = await nextPublishDate(services);
    if (services.blogBackend) return;
    if (changesAt) services.expireAt(changesAt);
    const { timeZone } = services.site.read(siteSettingsFile);
    const now = services.clock();
    const { files, fileSlugs } = readFilePosts(services);
    yield files.map((post) => ({
      path: postPath(post.slug),
      changedAt: describeDates(post, timeZone, now)?.modifiedAt ?? post.publishAt,
    }));
    const filePaths = new Set([...fileSlugs].map(postPath));
    for await (const pages of storedPages(services))
      yield pages.filter(({ path }) => !filePaths.has(path));
  },
};

async function* storedPages({ db, site, clock }: PageServices): AsyncGenerator<SitemapPage[]> {
  const { slug, domain, state, publishAt, createdAt } = blogPosts;
  const isPublished = sql`${domain} = ${ownDomain(site)} and ${state} = 'published' and ${lte(publishAt, clock())}`;
  const batches = readSlugBatches(db, {
    table: blogPosts,
    slug,
    // A post with an old date may have been imported only recently.
    instant: sql`greatest(${publishAt}, ${createdAt})`,
    condition: isPublished,
    batchSize: sitemapBatchSize,
  });
  for await (const batch of batches)
    yield batch.map((row) => ({ path: postPath(row.slug), changedAt: row.instant }));
}
