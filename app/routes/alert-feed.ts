import { appContext } from "../context.ts";
import { alertFeed } from "../features/alerts/pages/feed.server.ts";
import { findFeedExtension } from "../lib/links/feed-formats.ts";
import type { Route } from "./+types/alert-feed.ts";

/** Three paths lead here, one per feed format. */
export async function loader({ url, context }: Route.LoaderArgs) {
  return alertFeed(context.get(appContext), findFeedExtension(url));
}
