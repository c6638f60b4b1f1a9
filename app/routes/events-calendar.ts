import { appContext } from "../context.ts";
import { calendarResponse } from "../features/events/listing/responses.server.ts";
import { calendarText, eventFeed } from "../features/events/listing/view.server.ts";
import { filterParams } from "../features/events/model.ts";
import type { RouteHandle } from "../platform/route-handle.ts";
import type { Route } from "./+types/events-calendar.ts";

export const handle = { page: { params: filterParams } } satisfies RouteHandle;

/** The calendar that readers subscribe to: all upcoming events, or those that match a filter. */
export async function loader({ context, url }: Route.LoaderArgs) {
  const { lookup, events, filter, siteName } = await eventFeed(context.get(appContext), url);
  const name = [siteName, filter.free && "Free", filter.category].filter(Boolean).join(": ");
  return calendarResponse(calendarText(lookup, events, name));
}
