import { appContext } from "../context.ts";
import { calendarResponse } from "../features/calendars/response.server.ts";
import { loadFeed, toCalendarText } from "../features/events/listing/view.server.ts";
import { filterParamNames } from "../features/events/model.ts";
import type { RouteHandle } from "../platform/route-handle.ts";
import type { Route } from "./+types/events-calendar.ts";

export const handle = { params: filterParamNames, part: "events" } satisfies RouteHandle;

/** The calendar that readers subscribe to: all upcoming events, or those that match a filter. */
export async function loader({ context, url }: Route.LoaderArgs) {
  const { lookup, events, filter, siteName } = await loadFeed(context.get(appContext), url);
  const name = [siteName, filter.place?.name, filter.free && "Free", filter.category]
    .filter(Boolean)
    .join(": ");
  return calendarResponse(toCalendarText(lookup, events, name));
}
