import { appContext } from "../context.ts";
import { briefFeed } from "../features/brief/feed.server.ts";
import { findFeedExtension } from "../lib/links/feed-formats.ts";
import type { Route } from "./+types/brief-feed.ts";

export async function loader({ url, context }: Route.LoaderArgs) {
  return briefFeed(context.get(appContext), findFeedExtension(url));
}
