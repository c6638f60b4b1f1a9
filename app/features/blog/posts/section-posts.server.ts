import { toSlug } from "../../../lib/text/slug.ts";
import type { PageServices } from "../../../platform/services.ts";
import { readNewestPosts } from "../backend/load.server.ts";
import { type BlogServices, readOwnPosts } from "../backend/source.server.ts";
import type { SectionPosts } from "../model.ts";
import { postPath } from "../paths.ts";

/** How many of the newest posts are read to find those about a subject. */
const maxSearched = 500;

/** Posts of these categories or, if there are none, of all. Only files have a category. */
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

/** Our newest posts about a subject, such as a neighborhood. Only files are searched. */
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

const newestFilePosts = async (services: BlogServices) =>
  (await readOwnPosts(services)).filter((post) => "category" in post);

/** The categories of our posts, with their values in URLs, in the order of their names. */
export async function listPostCategories(services: BlogServices) {
  const labels = new Map<string, string>();
  for (const { category } of await newestFilePosts(services))
    if (category !== null && toSlug(category) !== "") labels.set(toSlug(category), category);
  return [...labels]
    .map(([value, label]) => ({ value, label }))
    .sort((one, other) => one.label.localeCompare(other.label, "en"));
}

/** The slugs of our newest posts of a category. `value` is the category in a URL. */
export const findSlugsOfCategory = async (services: BlogServices, value: string, count: number) =>
  (await newestFilePosts(services))
    .filter(({ category }) => category !== null && toSlug(category) === value)
    .slice(0, count)
    .map(({ slug }) => slug);
