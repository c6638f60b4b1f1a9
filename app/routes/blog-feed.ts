import { appContext } from "../context.ts";
import { postFeed } from "../features/blog/feed.server.ts";
import { requireCanonicalUrl } from "../lib/links/canonical-url.server.ts";
import { findFeedExtension } from "../lib/links/feed-formats.ts";
import { toSlug } from "../lib/text/slug.ts";
import type { RouteHandle } from "../platform/route-handle.ts";
import type { Route } from "./+types/blog-feed.ts";

export const handle = { queryParams: ["category"] } satisfies RouteHandle;

export async function loader({ url, context }: Route.LoaderArgs) {
  const services = context.get(appContext);
  const category = toSlug(url.searchParams.get("category") ?? "") || null;
  requireCanonicalUrl(url, { category });
  const feed = await postFeed(services, findFeedExtension(url), category);
  if (!feed) throw new Response("There are no posts of this category.\n", { status: 404 });
  return feed;
}
