import { youtubeId } from "../../../lib/external/youtube.ts";
import type { PictureAddress } from "../../../lib/text/untrusted-markdown.server.ts";
import { cacheTags } from "../../../platform/tags.ts";
import { brandFile } from "../../brand/files.server.ts";
import {
  type BlogDetails,
  type BlogItem,
  type BlogList,
  dateLine,
  maxSlugLength,
  slugShape,
} from "../model.ts";
import { bodyHtml } from "../posts/bodies.server.ts";
import { pictureAddressing } from "../posts/images.server.ts";
import type { Post, PostHead } from "../posts/post.ts";
import { type BlogServices, blogSource, ownDomain, type PostServices } from "./source.server.ts";

const relatedCount = 3;
const wordsPerMinute = 220;

/** The answer of get_metainfo. */
export async function listAnswer(
  services: BlogServices,
  domain: string,
  page: number,
): Promise<BlogList> {
  const { heads, total } = await blogSource(services).list(domain, page);
  const address = await addressing(services);
  return { blogs: heads.map((head) => itemOf(head, address)), total };
}

/** The answer of get_details: null for a slug that no post has. */
export async function detailsAnswer(
  services: PostServices,
  slug: string,
): Promise<BlogDetails | null> {
  if (!slugShape.test(slug) || slug.length > maxSlugLength) return null;
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
    dateText: dateLine(date, timeZone),
    readingMinutes: Math.max(1, Math.round(blog.split(/\s+/).length / wordsPerMinute)),
    related: akin(post, others).map((head) => itemOf(head, address)),
  };
}

/** When the answers above change by themselves, because a post that waits for its date appears. */
export const nextAppearance = (services: BlogServices): Promise<Date | null> =>
  blogSource(services).changesAt(ownDomain(services.site));

const addressing = ({ db, site }: BlogServices) =>
  pictureAddressing(db, site.read(brandFile).origin);

function itemOf(head: PostHead, address: PictureAddress): BlogItem {
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
function akin(post: Post, others: PostHead[]): PostHead[] {
  const topic = wordsOf(post.metaTitle, post.shortTailKeywords, post.longTailKeywords);
  return others
    .filter(({ slug }) => slug !== post.slug)
    .map((head) => ({
      head,
      shared: topic.intersection(wordsOf(head.metaTitle, head.metaDescription)).size,
    }))
    .toSorted((one, other) => other.shared - one.shared)
    .slice(0, relatedCount)
    .map(({ head }) => head);
}

const wordsOf = (...texts: (string | null)[]) =>
  new Set(
    texts
      .join(" ")
      .toLowerCase()
      .match(/\p{L}{4,}/gu),
  );
