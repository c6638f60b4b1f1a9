import { appContext } from "../context.ts";
import { brandFile } from "../features/brand/files.server.ts";
import { eventOrigins } from "../features/events/listing/gather.server.ts";
import { calendarResponse } from "../features/events/listing/out.server.ts";
import { calendarText, feedEvents, feedFilter, trueUntil } from "../features/events/listing/view.server.ts";
import { filterParams } from "../features/events/model.ts";
import type { RouteHandle } from "../platform/route-handle.ts";
import type { Route } from "./+types/events-calendar.ts";

export const handle = { page: { params: filterParams } } satisfies RouteHandle;

/** The calendar to subscribe to: all events to come, or those of a filter. */
export async function loader({ context, url }: Route.LoaderArgs) {
  const app = context.get(appContext);
  const brand = app.site.read(brandFile);
  const origins = eventOrigins(app, brand);
  const filter = feedFilter(origins, url);
  const events = await feedEvents(origins, filter);
  app.expireAt(trueUntil(origins));
  const name = [brand.name, filter.free && "Free", filter.category].filter(Boolean).join(": ");
  return calendarResponse(calendarText(origins, events, name));
}
