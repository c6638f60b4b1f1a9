import {
  findLastChange,
  listChanges,
  listCorrections,
  type PublishedCorrection,
} from "../../../lib/article-dates.ts";
import { slugPattern, toSlug } from "../../../lib/text/slug.ts";
import type { PageServices } from "../../../platform/services.ts";
import type { SitemapSource } from "../../../platform/sitemap.ts";
import { siteSettingsFile } from "../../brand/files.server.ts";
import { readNewestPosts } from "../backend/load.server.ts";
import { readOwnPosts } from "../backend/source.server.ts";
import type { SectionPosts } from "../model.ts";
import { postPath } from "../paths.ts";
import type { PostServices } from "./post.ts";
import { findAnyPost } from "./posts.server.ts";

export async function publishedPosts(services: PostServices) {
  const posts = await readOwnPosts(services);
  return posts.map(({ slug, metaTitle, publishAt }) => ({
    title: metaTitle,
    link: postPath(slug),
    at: publishAt,
  }));
}

/** The status of a path without a post: 410 (gone) if an editor took the post down. */
export async function missingPostStatus(
  services: PostServices,
  requestedSlug: string,
): Promise<404 | 410> {
  if (services.blogBackend || !slugPattern.test(requestedSlug)) return 404;
  return (await findAnyPost(services, requestedSlug))?.isDown ? 410 : 404;
}

/**
 * The corrections of our posts. With an external backend there are none, because it does not list
 * them.
 */
export async function postCorrections(services: PostServices): Promise<PublishedCorrection[]> {
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
    return posts.map((post) => ({
      path: postPath(post.slug),
      changedAt: findLastChange(post.publishAt, listChanges(post, timeZone), now),
    }));
  },
};

const maxSearched = 500;

/**
 * Finds posts of these categories or, if there are none, the newest of all. Only posts in files
 * have a category, so posts in the database are never found by it.
 */
export async function readSectionPosts(
  services: PageServices,
  categories: string[],
  count: number,
): Promise<SectionPosts> {
  const wanted = new Set(categories.map((category) => category.toLowerCase()));
  const newest = await readNewestPosts(services);
  const ofSection = (await newestFilePosts(services)).filter(
    ({ category }) => category !== null && wanted.has(category.toLowerCase()),
  );
  const isOfSection = ofSection.length > 0;
  return { isOfSection, posts: toLinks(isOfSection ? ofSection : newest, count) };
}

/**
 * Finds our newest posts about a subject, such as a neighborhood. Only posts in files are searched.
 */
export async function readPostsAbout(
  services: PageServices,
  isAbout: (texts: string[]) => boolean,
  count: number,
): Promise<SectionPosts> {
  const posts = (await newestFilePosts(services))
    .slice(0, maxSearched)
    .filter(({ metaTitle, metaDescription }) => isAbout([metaTitle, metaDescription]));
  return { isOfSection: true, posts: toLinks(posts, count) };
}

const toLinks = (posts: { slug: string; metaTitle: string }[], count: number) =>
  posts.slice(0, count).map(({ slug, metaTitle }) => ({ title: metaTitle, path: postPath(slug) }));

const newestFilePosts = async (services: PostServices) =>
  (await readOwnPosts(services)).filter(({ isFile }) => isFile);

export async function listPostCategories(services: PostServices) {
  const labels = new Map<string, string>();
  for (const { category } of await newestFilePosts(services))
    if (category !== null && toSlug(category) !== "") labels.set(toSlug(category), category);
  return [...labels]
    .map(([value, label]) => ({ value, label }))
    .sort((one, other) => one.label.localeCompare(other.label, "en"));
}

/** The slugs of our newest posts of a category. `value` is the category in a URL. */
export const findSlugsOfCategory = async (services: PostServices, value: string, count: number) =>
  (await newestFilePosts(services))
    .filter(({ category }) => category !== null && toSlug(category) === value)
    .slice(0, count)
    .map(({ slug }) => slug);
