import { readInTime } from "../../../lib/http/with-timeout.server.ts";
import { toSlug } from "../../../lib/text/slug.ts";
import type { PageScope } from "../../../platform/page-scope.ts";
import { nextPublishDate } from "../backend/load.server.ts";
import { type BlogServices, blogSource, ownDomain } from "../backend/source.server.ts";
import { contentTimeoutMs, type SectionPosts } from "../model.ts";
import { postPath } from "../paths.ts";
import { readFilePosts } from "./published.server.ts";

/** How many of the newest posts are read to find those about a subject. */
const maxSearched = 500;

type SectionServices = BlogServices & Pick<PageScope, "expireAt">;
type FoundPosts = { posts: { slug: string; metaTitle: string }[]; isOfSection: boolean };

/**
 * Our newest posts of these categories or, if there are none, of all categories. Only posts that
 * are files have a category.
 */
export const readSectionPosts = (
  services: SectionServices,
  categories: string[],
  count: number,
): Promise<SectionPosts> => listInTime(services, findPosts(services, categories), count);

/**
 * Our newest posts whose title or description is about a subject, such as a neighborhood. Only
 * posts that are files are searched.
 */
export const readPostsAbout = (
  services: SectionServices,
  isAbout: (texts: string[]) => boolean,
  count: number,
): Promise<SectionPosts> => {
  const posts = newestFilePosts(services)
    .slice(0, maxSearched)
    .filter(({ metaTitle, metaDescription }) => isAbout([metaTitle, metaDescription]));
  return listInTime(services, Promise.resolve({ posts, isOfSection: true }), count);
};

/** None if the posts cannot be read in time; the page is then rendered again soon. */
async function listInTime(
  services: SectionServices,
  finding: Promise<FoundPosts>,
  count: number,
): Promise<SectionPosts> {
  const reading = Promise.all([finding, nextPublishDate(services)]);
  const result = await readInTime(services, "blog.section", reading, {
    timeoutMs: contentTimeoutMs,
  });
  if (!result) return { isOfSection: false, posts: [] };
  const [{ posts, isOfSection }, changesAt] = result.value;
  if (changesAt) services.expireAt(changesAt);
  return {
    isOfSection,
    posts: posts
      .slice(0, count)
      .map(({ slug, metaTitle }) => ({ title: metaTitle, path: postPath(slug) })),
  };
}

const newestFilePosts = (services: BlogServices) =>
  services.blogBackend
    ? []
    : readFilePosts(services).files.toSorted(
        (one, other) => other.publishAt.getTime() - one.publishAt.getTime(),
      );

/** The categories of our posts, with their values in URLs, in the order of their names. */
export function listPostCategories(services: BlogServices): { value: string; label: string }[] {
  const labels = new Map<string, string>();
  for (const { category } of newestFilePosts(services))
    if (category !== null && toSlug(category) !== "") labels.set(toSlug(category), category);
  return [...labels]
    .map(([value, label]) => ({ value, label }))
    .sort((one, other) => one.label.localeCompare(other.label, "en"));
}

/** The slugs of our newest posts of a category. `value` is the category in a URL. */
export const findSlugsOfCategory = (
  services: BlogServices,
  value: string,
  count: number,
): string[] =>
  newestFilePosts(services)
    .filter(({ category }) => category !== null && toSlug(category) === value)
    .slice(0, count)
    .map(({ slug }) => slug);

async function findPosts(services: BlogServices, categories: string[]): Promise<FoundPosts> {
  const wanted = new Set(categories.map((category) => category.toLowerCase()));
  const ofSection = newestFilePosts(services).filter(
    ({ category }) => category !== null && wanted.has(category.toLowerCase()),
  );
  if (ofSection.length > 0) return { posts: ofSection, isOfSection: true };
  const posts = await blogSource(services).recent(ownDomain(services.site));
  return { posts, isOfSection: false };
}
