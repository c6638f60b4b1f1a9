import { appContext } from "../context.ts";
import { brandFile } from "../features/brand/files.server.ts";
import { eventOrigins } from "../features/events/listing/gather.server.ts";
import { jsonResponse } from "../features/events/listing/out.server.ts";
import { feedEvents, feedFilter, trueUntil } from "../features/events/listing/view.server.ts";
import { filterParams } from "../features/events/model.ts";
import type { RouteHandle } from "../platform/route-handle.ts";
import type { Route } from "./+types/events-json.ts";

export const handle = { page: { params: filterParams } } satisfies RouteHandle;

export async function loader({ context, url }: Route.LoaderArgs) {
  const app = context.get(appContext);
  const brand = app.site.read(brandFile);
  const origins = eventOrigins(app, brand);
  const events = await feedEvents(origins, feedFilter(origins, url));
  app.expireAt(trueUntil(origins));
  return jsonResponse(events, origins, brand.name);
}
