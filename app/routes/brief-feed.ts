import { appContext } from "../context.ts";
import { briefFeed } from "../features/brief/feed.server.ts";
import { feedExtensions } from "../lib/links/feed-formats.ts";
import type { Route } from "./+types/brief-feed.ts";

/** Three paths lead here, one per feed format. */
export async function loader({ url, context }: Route.LoaderArgs) {
  const { pathname } = url;
  const extension = feedExtensions.find((candidate) => pathname.endsWith(`.${candidate}`)) ?? "xml";
  return briefFeed(context.get(appContext), extension);
}
