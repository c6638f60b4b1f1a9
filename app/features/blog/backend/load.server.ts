import { describeDates } from "../../../lib/article-dates.ts";
import { writtenInstant } from "../../../lib/dates.ts";
import { artPath } from "../../../lib/images/art.ts";
import { errorFields } from "../../../lib/log.ts";
import type { ToImagePath } from "../../../lib/text/untrusted-markdown.server.ts";
import { withTimeout } from "../../../lib/with-timeout.ts";
import type { PageServices, Services } from "../../../platform/services.ts";
import type { ShareCard } from "../../../platform/share-card.ts";
import { cacheTags } from "../../../platform/tags.ts";
import { withoutCaption } from "../../../site-files/site-fields.server.ts";
import { siteSettingsFile } from "../../brand/files.server.ts";
import { describeShareImage } from "../../share-images/describe.server.ts";
import { addImageSizes } from "../../stories/desk/rows.server.ts";
import { isUsableSlug } from "../contract.ts";
import type { FullPost, ListedPost, PostDates, PostLink, PostList } from "../model.ts";
import { listPath } from "../paths.ts";
import { renderPost } from "../posts/html.server.ts";
import { loadImagePathMapper, readImageSizes } from "../posts/images.server.ts";
import type { Post, PostHead, PostServices } from "../posts/post.ts";
import { type FullPostServices, ownDomain, postSource } from "./source.server.ts";

/** The number of newest posts among which we look for related ones. */
const recentCount = 50;
const relatedCount = 3;
const wordsPerMinute = 220;

/** The response body of get_metainfo. */
export async function readPostList(
  services: PostServices,
  domain: string,
  page: number,
): Promise<PostList> {
  const { heads, total } = await postSource(services).list(domain, page);
  const toImagePath = await loadImagePathMapper(services);
  return { blogs: heads.map((head) => toListedPost(head, toImagePath)), total };
}

export async function findPost(services: PostServices, slug: string): Promise<Post | null> {
  if (!isUsableSlug(slug)) return null;
  services.tags?.add(cacheTags.post(slug));
  return postSource(services).find(slug);
}

export async function findPostCard(services: PostServices, post: Post): Promise<ShareCard> {
  const { timeZone } = services.site.read(siteSettingsFile);
  const { image, pinterestImageLink } = post;
  const toImagePath = await loadImagePathMapper(services);
  const pinPath = pinterestImageLink && toImagePath(pinterestImageLink);
  const dates = describePostDates(post, timeZone, services.clock());
  return {
    label: "Blog",
    title: post.metaTitle,
    lines: dates ? [dates.published.text] : [],
    image: image
      ? { path: artPath(image.file), alt: image.alt, focus: image.focus }
      : pinPath
        ? { path: pinPath, alt: "" }
        : null,
    mark: null,
    dateTile: null,
  };
}

/** The response body of get_details: null if no post has this slug. */
export async function readFullPost(
  services: FullPostServices,
  slug: string,
): Promise<FullPost | null> {
  const post = await findPost(services, slug);
  return post && describePost(services, post);
}

/** Everything that the page of a post shows, also of a draft. */
export async function describePost(services: FullPostServices, post: Post): Promise<FullPost> {
  const source = postSource(services);
  const { origin, timeZone } = services.site.read(siteSettingsFile);
  const toImagePath = await loadImagePathMapper(services);
  const card = await findPostCard(services, post);
  // If the related posts cannot be read, the reader still gets the post.
  const posts = await source.recent(post.domain || ownDomain(services.site)).catch(() => []);
  const neighbors = findNeighbors(post, posts);
  // If the sizes of its images cannot be read, the post is shown without them.
  const sizes = await readImageSizes(services.db, post.blog).catch(() => []);
  const html = addImageSizes(await renderPost(services, post, origin), sizes);
  const { slug, metaTitle, metaDescription, date, blog, pinterestImageLink } = post;
  const now = services.clock();
  const dates = describePostDates(post, timeZone, now);
  return {
    slug,
    metaTitle,
    metaDescription,
    date,
    blog,
    pinterestImageLink,
    html,
    domain: post.domain || ownDomain(services.site),
    shortTailKeywords: post.shortTailKeywords,
    longTailKeywords: post.longTailKeywords,
    youtubeShortsUrl: post.youtubeShortsUrl,
    author: post.author,
    updated: post.updated,
    corrections: post.corrections.filter(
      (correction) => writtenInstant(correction.date, timeZone) <= now,
    ),
    dates,
    image: post.image,
    picture: pinterestImageLink && toImagePath(pinterestImageLink),
    dateText: dates?.published.text ?? null,
    readingMinutes: Math.max(1, Math.round(blog.split(/\s+/).length / wordsPerMinute)),
    shareImage: describeShareImage(services.site, { kind: "blog", id: slug, card }),
    related: findRelated(post, posts, neighbors).map((head) => toListedPost(head, toImagePath)),
    ...neighbors,
  };
}

function describePostDates(post: Post, timeZone: string, now: Date): PostDates | null {
  const dates = describeDates(post, timeZone, now);
  if (!dates) return null;
  const { published, updated, modified, corrections } = dates;
  return { published, updated, modified, corrections };
}

function toListedPost(head: PostHead, toImagePath: ToImagePath): ListedPost {
  const { id, slug, metaTitle, metaDescription, pinterestImageLink, image, publishAt } = head;
  const pinImage = pinterestImageLink && toImagePath(pinterestImageLink);
  return {
    id,
    slug,
    metaTitle,
    metaDescription,
    ...(pinterestImageLink ? { pinterestImageLink } : {}),
    ...(pinImage ? { picture: pinImage } : {}),
    ...(image ? { image: withoutCaption(image) } : {}),
    ...(publishAt ? { publishedAt: publishAt.toISOString() } : {}),
  };
}

function findNeighbors({ slug }: Post, posts: PostHead[]) {
  const index = posts.findIndex((post) => post.slug === slug);
  const toLink = (post: PostHead | undefined): PostLink | null =>
    index >= 0 && post ? { slug: post.slug, metaTitle: post.metaTitle } : null;
  return { older: toLink(posts[index + 1]), newer: toLink(posts[index - 1]) };
}

/**
 * Finds the posts that share the most words with this one. The next older and newer posts are left
 * out, because the page already links them.
 */
function findRelated(
  post: Post,
  posts: PostHead[],
  { older, newer }: ReturnType<typeof findNeighbors>,
): PostHead[] {
  const linked = [post.slug, older?.slug, newer?.slug];
  const topic = wordsIn(post.metaTitle, post.shortTailKeywords, post.longTailKeywords);
  return posts
    .slice(0, recentCount)
    .filter(({ slug }) => !linked.includes(slug))
    .map((head) => ({
      head,
      shared: topic.intersection(wordsIn(head.metaTitle, head.metaDescription)).size,
    }))
    .toSorted((one, other) => other.shared - one.shared)
    .slice(0, relatedCount)
    .map(({ head }) => head);
}

const wordsIn = (...strings: (string | null)[]) =>
  new Set(
    strings
      .join(" ")
      .toLowerCase()
      .match(/\p{L}{4,}/gu),
  );

/** How long a page waits for an external backend. After that, the browser loads the posts. */
const backendTimeoutMs = 1_500;
/**
 * How soon a page is rendered again if its block with blog posts is missing because of a slow
 * backend.
 */
const retryAfterMs = 10_000;

/** Returns null if reading failed, or if an external backend took too long. */
export async function waitForPosts<T>(
  { log, blogBackend }: Pick<Services, "log" | "blogBackend">,
  reading: Promise<T>,
): Promise<{ value: T } | null> {
  const tooLate = `the blog's backend did not respond within ${backendTimeoutMs} ms`;
  try {
    const value = await (blogBackend ? withTimeout(reading, backendTimeoutMs, tooLate) : reading);
    return { value };
  } catch (error) {
    log.warn("blog.not_ready", errorFields(error));
    return null;
  }
}

/** The newest posts, for pages outside the blog. Empty if the posts cannot be read. */
export async function readNewestPosts(services: PageServices): Promise<ListedPost[]> {
  if (!services.site.hasPage(listPath(1))) return [];
  const list = await waitForPosts(services, readPostList(services, ownDomain(services.site), 1));
  if (!list) services.expireAt(new Date(services.clock().getTime() + retryAfterMs));
  return list?.value.blogs ?? [];
}
