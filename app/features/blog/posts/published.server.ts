import { and, eq } from "drizzle-orm";
import { listCorrections, type PublishedCorrection } from "../../../lib/article-dates.ts";
import type { SitemapSource } from "../../../platform/sitemap.ts";
import { siteSettingsFile } from "../../brand/files.server.ts";
import { type BlogServices, readOwnPosts } from "../backend/source.server.ts";
import { slugPattern } from "../model.ts";
import { postPath } from "../paths.ts";
import { blogPosts } from "../schema.server.ts";
import { listFilePosts } from "./file-posts.server.ts";
import { listChanges } from "./posts.server.ts";

export async function publishedPosts(services: BlogServices) {
  const posts = await readOwnPosts(services);
  return posts.map(({ slug, metaTitle, publishAt }) => ({
    title: metaTitle,
    link: postPath(slug),
    at: publishAt,
  }));
}

/** The status of a path without a post: 410 (gone) if an editor took the post down. */
export async function missingPostStatus(
  services: BlogServices,
  requestedSlug: string,
): Promise<404 | 410> {
  if (services.blogBackend || !slugPattern.test(requestedSlug)) return 404;
  const file = (await listFilePosts(services)).find((post) => post.slug === requestedSlug);
  if (file) return file.isDown ? 410 : 404;
  const isDown = and(eq(blogPosts.slug, requestedSlug), eq(blogPosts.state, "down"));
  return (await services.db.$count(blogPosts, isDown)) > 0 ? 410 : 404;
}

/** The corrections of our posts. A remote backend does not list those of its posts. */
export async function postCorrections(services: BlogServices): Promise<PublishedCorrection[]> {
  const { timeZone } = services.site.read(siteSettingsFile);
  const now = services.clock();
  const posts = await readOwnPosts(services);
  return posts.flatMap(({ slug, metaTitle, corrections }) =>
    listCorrections({ title: metaTitle, path: postPath(slug), corrections }, timeZone, now),
  );
}

/** Our published posts. The posts of a sister city are in that city's sitemap. */
export const postSitemap: SitemapSource = {
  async pages(services) {
    const { timeZone } = services.site.read(siteSettingsFile);
    const now = services.clock();
    const posts = await readOwnPosts(services);
    return posts.map((post) => {
      const changes = listChanges(post, timeZone).filter((at) => at <= now);
      return { path: postPath(post.slug), changedAt: changes.at(-1) ?? post.publishAt };
    });
  },
};
