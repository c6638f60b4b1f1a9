import { appContext } from "../context.ts";
import { eventFeed } from "../features/events/feed.server.ts";
import { loadFeed } from "../features/events/listing/view.server.ts";
import { filterParamNames } from "../features/events/model.ts";
import { findFeedExtension } from "../lib/links/feed-formats.ts";
import type { RouteHandle } from "../platform/route-handle.ts";
import type { Route } from "./+types/event-feed.ts";

export const handle = { params: filterParamNames, part: "events" } satisfies RouteHandle;

export async function loader({ url, context }: Route.LoaderArgs) {
  return eventFeed(findFeedExtension(url), await loadFeed(context.get(appContext), url));
}
