import { writtenInstant } from "../../lib/dates.ts";
import type { FeedExtension } from "../../lib/links/feed-formats.ts";
import { articleHtml, type FeedEntry, feedResponse } from "../../lib/links/feed-response.server.ts";
import { toQueryString } from "../../lib/links/query.ts";
import { siteSettingsFile } from "../brand/files.server.ts";
import { readFullPost, readPostList } from "./backend/load.server.ts";
import { type FullPostServices, ownDomain } from "./backend/source.server.ts";
import { blogFile } from "./files.server.ts";
import { type FullPost, pageSize } from "./model.ts";
import { postPath } from "./paths.ts";
import { findSlugsOfCategory, listPostCategories } from "./posts/published.server.ts";

/** The feed has the full text of the newest posts. Null if no post has the category. */
export async function postFeed(
  services: FullPostServices,
  extension: FeedExtension,
  category: string | null,
): Promise<Response | null> {
  const { site, clock } = services;
  const { origin, name, timeZone } = site.read(siteSettingsFile);
  const { heading, description } = site.read(blogFile);
  const slugs =
    category === null
      ? (await readPostList(services, ownDomain(site), 1)).blogs.map(({ slug }) => slug)
      : await findSlugsOfCategory(services, category, pageSize);
  if (category !== null && slugs.length === 0) return null;
  const categories = await listPostCategories(services);
  const label = categories.find(({ value }) => value === category)?.label;
  const posts = await Promise.all(slugs.map((slug) => readFullPost(services, slug)));
  const entries = posts.flatMap((post) => (post ? toEntries(post, origin, timeZone, name) : []));
  const channel = {
    title: `${label === undefined ? heading : `${heading}: ${label}`} | ${name}`,
    description,
    origin,
    page: "/blog",
    path: "/blog/feed",
    query: toQueryString({ category }),
    now: clock(),
  };
  return feedResponse(extension, channel, entries);
}

/** The feed entry of a post; none if its date is not valid, because feed readers sort by date. */
function toEntries(
  post: FullPost,
  origin: string,
  timeZone: string,
  siteName: string,
): FeedEntry[] {
  if (!post.dates) return [];
  const publishedAt = writtenInstant(post.date, timeZone);
  const changedAt = writtenInstant(post.dates.modified, timeZone);
  const { slug, metaTitle: title, metaDescription: summary, author } = post;
  const link = postPath(slug);
  return [
    {
      id: origin + link,
      title,
      link,
      summary,
      publishedAt,
      updatedAt: changedAt > publishedAt ? changedAt : undefined,
      authors: author.length > 0 ? author : [siteName],
      html: articleHtml(
        { image: post.image, html: post.html ?? "", corrections: post.dates.corrections },
        origin,
      ),
    },
  ];
}
