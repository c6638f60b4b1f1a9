import type { FeedExtension } from "../../lib/links/feed-formats.ts";
import { feedResponse } from "../../lib/links/feed-response.server.ts";
import { truncateAtWord } from "../../lib/text/truncate-at-word.ts";
import type { NewResult } from "./find/find.server.ts";
import { type FeedRequest, searchPath, toFeedQuery, toSearchPath } from "./model.ts";

const maxSummaryLength = 300;
/** How long a feed reader should wait before it asks again. */
const maxAgeSeconds = 15 * 60;

type SiteInfo = { name: string; origin: string };

/**
 * The results of a search as a feed. Only the reader's program may cache it: what somebody searches
 * for should not be in the cache of a proxy.
 */
export function searchFeed(
  extension: FeedExtension,
  request: FeedRequest,
  results: NewResult[],
  { name, origin }: SiteInfo,
  now: Date,
): Response {
  const entries = results.map(({ kind, id, title, link, summary, at, detail }) => ({
    // The link of a document never changes.
    id: kind === "headline" ? id : origin + link,
    title,
    link,
    summary: truncateAtWord(summary, maxSummaryLength),
    publishedAt: at,
    authors: [kind === "headline" ? detail : name],
  }));
  const response = feedResponse(
    extension,
    {
      title: `Search: ${request.query} | ${name}`,
      description: `The newest stories, blog posts and headlines with the words “${request.query}”.`,
      origin,
      page: toSearchPath({ ...request, page: 1 }),
      path: searchPath,
      query: toFeedQuery(request),
      now,
    },
    entries,
  );
  response.headers.set("Cache-Control", `private, max-age=${maxAgeSeconds}`);
  response.headers.set("X-Robots-Tag", "noindex");
  return response;
}
