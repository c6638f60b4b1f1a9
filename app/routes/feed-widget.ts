import { appContext } from "../context.ts";
import { siteSettingsFile } from "../features/brand/files.server.ts";
import { listHeadlines } from "../features/feeds/listing/content.server.ts";
import { maxWidgetItems, renderWidget } from "../features/feeds/listing/widget.server.ts";
import { defaultMaxItems } from "../features/feeds/model.ts";
import { requireCanonicalUrl } from "../lib/links/canonical-url.server.ts";
import type { RouteHandle } from "../platform/route-handle.ts";
import type { Route } from "./+types/feed-widget.ts";

export const handle = { page: { params: ["limit"] } } satisfies RouteHandle;

/**
 * /embed/feeds/local?limit=5: the headlines of a section as a widget, which other sites can show in
 * a frame.
 */
export async function loader({ context, params, url }: Route.LoaderArgs) {
  const { site, ...rest } = context.get(appContext);
  const { name, origin, timeZone } = site.read(siteSettingsFile);
  const list = await listHeadlines({ ...rest, site, timeZone }, params.section);
  if (!list) throw new Response("There is no such section.\n", { status: 404 });
  const limitParam = Number(url.searchParams.get("limit"));
  const limit =
    Number.isInteger(limitParam) && limitParam > 0 ? Math.min(limitParam, maxWidgetItems) : null;
  requireCanonicalUrl(url, { limit: limit === null ? null : String(limit) });
  return renderWidget(list, { name, origin }, limit ?? defaultMaxItems);
}
