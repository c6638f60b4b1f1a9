import { youtubeId } from "../../../lib/external/youtube.ts";
import type { ToImagePath } from "../../../lib/text/untrusted-markdown.server.ts";
import { cacheTags } from "../../../platform/tags.ts";
import { brandFile } from "../../brand/files.server.ts";
import {
  type BlogDetails,
  type BlogItem,
  type BlogList,
  formatPostDate,
  maxSlugLength,
  slugPattern,
} from "../model.ts";
import { bodyHtml } from "../posts/bodies.server.ts";
import { readImagePath } from "../posts/images.server.ts";
import type { Post, PostHead } from "../posts/post.ts";
import { type BlogServices, blogSource, ownDomain, type PostServices } from "./source.server.ts";

const relatedCount = 3;
const wordsPerMinute = 220;

/** The answer of get_metainfo. */
export async function loadBlogList(
  services: BlogServices,
  domain: string,
  page: number,
): Promise<BlogList> {
  const { heads, total } = await blogSource(services).list(domain, page);
  const address = await addressing(services);
  return { blogs: heads.map((head) => toBlogItem(head, address)), total };
}

/** The answer of get_details: null for a slug that no post has. */
export async function loadBlogDetails(
  services: PostServices,
  slug: string,
): Promise<BlogDetails | null> {
  if (!slugPattern.test(slug) || slug.length > maxSlugLength) return null;
  services.tags?.add(cacheTags.post(slug));
  const source = blogSource(services);
  const post = await source.details(slug);
  if (!post) return null;
  const { origin, timeZone } = services.site.read(brandFile);
  const address = await addressing(services);
  // A reader who gets the article misses little without the posts below it.
  const others = await source.recent(post.domain || ownDomain(services.site)).catch(() => []);
  const html = await bodyHtml(services, slug, post.blog, origin);
  const { metaTitle, metaDescription, date, blog, pinterestImageLink } = post;
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
    youtubeShortsUrl:
      post.youtubeShortsUrl && youtubeId(post.youtubeShortsUrl) ? post.youtubeShortsUrl : null,
    picture: pinterestImageLink && address(pinterestImageLink),
    dateText: formatPostDate(date, timeZone),
    readingMinutes: Math.max(1, Math.round(blog.split(/\s+/).length / wordsPerMinute)),
    related: findRelated(post, others).map((head) => toBlogItem(head, address)),
  };
}

/** When the answers above change by themselves, because a post that waits for its date appears. */
export const nextPublishDate = (services: BlogServices): Promise<Date | null> =>
  blogSource(services).nextPublishDate(ownDomain(services.site));

const addressing = ({ db, site }: BlogServices) => readImagePath(db, site.read(brandFile).origin);

function toBlogItem(head: PostHead, address: ToImagePath): BlogItem {
  const { id, slug, metaTitle, metaDescription, pinterestImageLink } = head;
  const picture = pinterestImageLink && address(pinterestImageLink);
  return {
    id,
    slug,
    metaTitle,
    metaDescription,
    ...(pinterestImageLink ? { pinterestImageLink } : {}),
    ...(picture ? { picture } : {}),
  };
}

/** The posts that share most words with this one; of equals, the newer. */
function findRelated(post: Post, others: PostHead[]): PostHead[] {
  const topic = wordsIn(post.metaTitle, post.shortTailKeywords, post.longTailKeywords);
  return others
    .filter(({ slug }) => slug !== post.slug)
    .map((head) => ({
      head,
      shared: topic.intersection(wordsIn(head.metaTitle, head.metaDescription)).size,
    }))
    .toSorted((one, other) => other.shared - one.shared)
    .slice(0, relatedCount)
    .map(({ head }) => head);
}

const wordsIn = (...texts: (string | null)[]) =>
  new Set(
    texts
      .join(" ")
      .toLowerCase()
      .match(/\p{L}{4,}/gu),
  );
