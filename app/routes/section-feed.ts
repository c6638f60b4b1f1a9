import { appContext } from "../context.ts";
import { siteSettingsFile } from "../features/brand/files.server.ts";
import { listSelectedHeadlines } from "../features/feeds/listing/filtered.server.ts";
import { maxHeadlines, parseShownTime } from "../features/feeds/listing/select.server.ts";
import { createPlaceMatcher } from "../features/places/match.server.ts";
import { requireKnownPlace } from "../features/places/requested.server.ts";
import { storyEntriesAbout } from "../features/stories/feed.server.ts";
import { requireCanonicalUrl } from "../lib/links/canonical-url.server.ts";
import { feedExtensions } from "../lib/links/feed-formats.ts";
import { feedResponse } from "../lib/links/feed-response.server.ts";
import { toQueryString } from "../lib/links/query.ts";
import type { RouteHandle } from "../platform/route-handle.ts";
import type { Route } from "./+types/section-feed.ts";

export const handle = { queryParams: ["place", "source"] } satisfies RouteHandle;

/**
 * /feeds/local.xml, .atom and .json: the headlines of a section, for feed readers. With ?source=…,
 * the headlines of one source; with ?place=…, the headlines and our stories about a neighborhood.
 */
export async function loader({ context, params, url }: Route.LoaderArgs) {
  const app = context.get(appContext);
  const { name: siteName, origin } = app.site.read(siteSettingsFile);
  const [, name = "", extension] = /^([a-z]+)\.(\w+)$/.exec(params.file) ?? [];
  const format = feedExtensions.find((known) => known === extension);
  const place = requireKnownPlace(app, url.searchParams);
  const source = place ? null : url.searchParams.get("source") || null;
  const query = { place: place?.slug ?? null, source };
  requireCanonicalUrl(url, query);
  const list = format && (await listSelectedHeadlines(app, name, { place, source }));
  if (!list) throw new Response("There is no such feed.\n", { status: 404 });
  const headlines = list.headlines.map(({ id, link, title, summary, source, time }) => ({
    id,
    link,
    title,
    summary,
    authors: [source],
    publishedAt: parseShownTime(time.iso),
  }));
  const stories = place ? await storyEntriesAbout(app, createPlaceMatcher(place)) : [];
  const entries = [...headlines, ...stories]
    .sort((one, other) => other.publishedAt.getTime() - one.publishedAt.getTime())
    .slice(0, maxHeadlines);
  return feedResponse(
    format,
    {
      title: `${list.title} | ${siteName}`,
      description: list.description,
      origin,
      page: list.page,
      path: `/feeds/${name}`,
      query: toQueryString(query),
      now: app.clock(),
    },
    entries,
  );
}
