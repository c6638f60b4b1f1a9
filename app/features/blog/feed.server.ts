import type { FeedExtension } from "../../lib/links/feed-formats.ts";
import { type FeedEntry, feedResponse, toFeedHtml } from "../../lib/links/feed-response.server.ts";
import { siteSettingsFile } from "../brand/files.server.ts";
import { loadBlogDetails, loadBlogList } from "./backend/load.server.ts";
import { ownDomain, type PostServices } from "./backend/source.server.ts";
import { blogFile } from "./files.server.ts";
import type { BlogDetails } from "./model.ts";
import { publishInstant } from "./posts/file-posts.server.ts";

/** A feed of the newest posts with their full text. */
export async function blogFeed(
  services: PostServices,
  extension: FeedExtension,
): Promise<Response> {
  const { site, clock } = services;
  const { origin, name, timeZone } = site.read(siteSettingsFile);
  const { heading, description } = site.read(blogFile);
  const { blogs } = await loadBlogList(services, ownDomain(site), 1);
  const posts = await Promise.all(blogs.map(({ slug }) => loadBlogDetails(services, slug)));
  const entries = posts.flatMap((post) => (post ? toEntries(post, origin, timeZone, name) : []));
  const channel = {
    title: `${heading} | ${name}`,
    description,
    origin,
    page: "/blog",
    path: "/blog/feed",
    updatedAt: entries[0]?.publishedAt ?? clock(),
  };
  return feedResponse(extension, channel, entries);
}

/** The feed entry of a post; none if its date is not valid, because feed readers sort by date. */
function toEntries(
  post: BlogDetails,
  origin: string,
  timeZone: string,
  author: string,
): FeedEntry[] {
  const publishedAt = publishInstant(post.date, timeZone);
  if (Number.isNaN(publishedAt.getTime())) return [];
  const { slug, metaTitle: title, metaDescription: summary, html } = post;
  const link = `/blog/${slug}`;
  return [
    {
      id: origin + link,
      title,
      link,
      summary,
      publishedAt,
      authors: [author],
      html: toFeedHtml(html ?? "", origin),
    },
  ];
}
