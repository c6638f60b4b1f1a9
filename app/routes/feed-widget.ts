import { appContext } from "../context.ts";
import { siteSettingsFile } from "../features/brand/files.server.ts";
import { listSelectedHeadlines } from "../features/feeds/listing/filtered.server.ts";
import { maxWidgetItems, renderWidget } from "../features/feeds/listing/widget.server.ts";
import { defaultMaxItems } from "../features/feeds/model.ts";
import { requireKnownPlace } from "../features/places/requested.server.ts";
import { requireCanonicalUrl } from "../lib/links/canonical-url.server.ts";
import type { RouteHandle } from "../platform/route-handle.ts";
import type { Route } from "./+types/feed-widget.ts";

export const handle = { queryParams: ["place", "source", "limit"] } satisfies RouteHandle;

/**
 * /embed/feeds/local?limit=5: the headlines of a section as a widget, which other sites can show in
 * a frame. With ?place=… or ?source=…, only those about a neighborhood or of one source.
 */
export async function loader({ context, params, url }: Route.LoaderArgs) {
  const app = context.get(appContext);
  const { name, origin } = app.site.read(siteSettingsFile);
  const place = requireKnownPlace(app, url.searchParams);
  const source = place ? null : url.searchParams.get("source") || null;
  const list = await listSelectedHeadlines(app, params.section, { place, source });
  if (!list) throw new Response("There is no such section.\n", { status: 404 });
  const limitParam = Number(url.searchParams.get("limit"));
  const limit =
    Number.isInteger(limitParam) && limitParam > 0 ? Math.min(limitParam, maxWidgetItems) : null;
  requireCanonicalUrl(url, {
    place: place?.slug ?? null,
    source,
    limit: limit === null ? null : String(limit),
  });
  return renderWidget(list, { name, origin, colors: app.look.palette }, limit ?? defaultMaxItems);
}
