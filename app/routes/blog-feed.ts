import { appContext } from "../context.ts";
import { nextPublishDate } from "../features/blog/backend/load.server.ts";
import { blogFeed } from "../features/blog/feed.server.ts";
import { feedExtensions } from "../lib/links/feed-formats.ts";
import type { Route } from "./+types/blog-feed.ts";

/** Three paths lead here, one per feed format. */
export async function loader({ url, context }: Route.LoaderArgs) {
  const services = context.get(appContext);
  const { pathname } = url;
  const extension = feedExtensions.find((candidate) => pathname.endsWith(`.${candidate}`)) ?? "xml";
  const changesAt = await nextPublishDate(services);
  if (changesAt) services.expireAt(changesAt);
  return blogFeed(services, extension);
}
