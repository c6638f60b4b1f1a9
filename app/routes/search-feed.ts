import { appContext } from "../context.ts";
import { siteSettingsFile } from "../features/brand/files.server.ts";
import { searchFeed } from "../features/search/feed.server.ts";
import {
  findNewestInTurn,
  retryAfterSeconds,
  searchLimit,
} from "../features/search/find/cached-search.server.ts";
import { createSearchScope } from "../features/search/find/find.server.ts";
import { parseFeedRequest } from "../features/search/model.ts";
import { findFeedExtension } from "../lib/links/feed-formats.ts";
import type { RouteHandle } from "../platform/route-handle.ts";
import type { Route } from "./+types/search-feed.ts";

export const handle = { cache: "none" } satisfies RouteHandle;

/**
 * /search.xml, .atom and .json?q=…: the newest results of a search, for feed readers. A feed reader
 * asks again and again, so its requests are not counted as searches.
 */
export async function loader({ url, context }: Route.LoaderArgs) {
  const app = context.get(appContext);
  const { site, clock } = app;
  const extension = findFeedExtension(url);
  const feedRequest = parseFeedRequest(url.searchParams);
  if (feedRequest === null) throw refuse("There is no feed of this kind of results.", 404);
  if (feedRequest.query === "")
    throw refuse("Write what you search for after ?q=, such as /search.xml?q=harbor.", 400);
  const settings = site.read(siteSettingsFile);
  const scope = createSearchScope(app);
  const results = await findNewestInTurn(scope, feedRequest, app.ipAddress);
  if (results === null)
    throw refuse(searchLimit.messages.visitor, 429, {
      "Retry-After": String(retryAfterSeconds),
    });
  return searchFeed(extension, feedRequest, results, settings, clock());
}

const refuse = (message: string, status: number, headers: Record<string, string> = {}) =>
  new Response(`${message}\n`, { status, headers: { ...headers, "X-Robots-Tag": "noindex" } });
