import { withTimeout } from "../../../lib/http/with-timeout.server.ts";
import type { PageScope } from "../../../platform/page-scope.ts";
import { nextPublishDate } from "../backend/load.server.ts";
import { type BlogServices, blogSource, ownDomain } from "../backend/source.server.ts";
import { contentTimeoutMs, type SectionPosts } from "../model.ts";
import { postPath } from "../paths.ts";
import { readFilePosts } from "./published.server.ts";

/** How soon a page without its posts is rendered again. */
const retryAfterMs = 10_000;

/**
 * Our newest posts of these categories or, if there are none, of all categories. Only posts that
 * are files have a category. None if they cannot be read in time; the page is then rendered again
 * soon.
 */
export async function readSectionPosts(
  services: BlogServices & Pick<PageScope, "expireAt">,
  categories: string[],
  count: number,
): Promise<SectionPosts> {
  const { log, clock, expireAt } = services;
  const reading = Promise.all([findPosts(services, categories), nextPublishDate(services)]);
  const result = await withTimeout(log, "blog.section", contentTimeoutMs, reading);
  const [{ posts, isOfSection }, changesAt] = result?.value ?? [
    { posts: [], isOfSection: false },
    new Date(clock().getTime() + retryAfterMs),
  ];
  if (changesAt) expireAt(changesAt);
  return {
    isOfSection,
    posts: posts
      .slice(0, count)
      .map(({ slug, metaTitle }) => ({ title: metaTitle, path: postPath(slug) })),
  };
}

async function findPosts(services: BlogServices, categories: string[]) {
  const wanted = new Set(categories.map((category) => category.toLowerCase()));
  const ofSection = services.blogBackend
    ? []
    : readFilePosts(services)
        .files.filter(({ category }) => category !== null && wanted.has(category.toLowerCase()))
        .toSorted((one, other) => other.publishAt.getTime() - one.publishAt.getTime());
  if (ofSection.length > 0) return { posts: ofSection, isOfSection: true };
  const posts = await blogSource(services).recent(ownDomain(services.site));
  return { posts, isOfSection: false };
}
