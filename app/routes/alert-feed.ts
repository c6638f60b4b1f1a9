import { appContext } from "../context.ts";
import { alertFeed } from "../features/alerts/pages/feed.server.ts";
import { findFeedExtension } from "../lib/links/feed-formats.ts";
import type { Route } from "./+types/alert-feed.ts";

export async function loader({ url, context }: Route.LoaderArgs) {
  return alertFeed(context.get(appContext), findFeedExtension(url));
}
