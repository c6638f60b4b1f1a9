import { appContext } from "../context.ts";
import { storyFeed } from "../features/stories/feed.server.ts";
import { toStoryCategory } from "../features/stories/listing/list.ts";
import { requireCanonicalUrl } from "../lib/links/canonical-url.server.ts";
import { findFeedExtension } from "../lib/links/feed-formats.ts";
import type { RouteHandle } from "../platform/route-handle.ts";
import type { Route } from "./+types/story-feed.ts";

export const handle = { queryParams: ["category"] } satisfies RouteHandle;

export async function loader({ url, context }: Route.LoaderArgs) {
  const category = toStoryCategory(url.searchParams);
  requireCanonicalUrl(url, { category });
  const feed = await storyFeed(context.get(appContext), findFeedExtension(url), category);
  if (!feed) throw new Response("There are no stories of this category.\n", { status: 404 });
  return feed;
}
