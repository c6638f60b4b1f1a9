import { appContext } from "../context.ts";
import { calendarResponse } from "../features/events/calendars/write-calendar.server.ts";
import { eventFeed } from "../features/events/feed.server.ts";
import { toCalendarText } from "../features/events/listing/calendar.server.ts";
import { jsonResponse, renderEventsWidget } from "../features/events/listing/responses.server.ts";
import { loadFollowedEvents } from "../features/events/listing/view.server.ts";
import { filterParamNames } from "../features/events/model.ts";
import { findFeedExtension } from "../lib/links/feed-formats.ts";
import type { RouteHandle } from "../platform/route-handle.ts";
import type { Route } from "./+types/event-formats.ts";

export const handle = { queryParams: filterParamNames, part: "events" } satisfies RouteHandle;

/** All upcoming events, or those that match a filter, for calendars, programs and other sites. */
export async function loader({ context, url, pattern }: Route.LoaderArgs) {
  const app = context.get(appContext);
  const feed = await loadFollowedEvents(app, url);
  const { lookup, events, filter, siteName } = feed;
  // The pattern, because the path may be in another spelling, such as /Events.ics/.
  switch (pattern) {
    case "events.ics": {
      const parts = [siteName, filter.place?.name, filter.free && "Free", filter.category];
      return calendarResponse(toCalendarText(lookup, events, parts.filter(Boolean).join(": ")));
    }
    case "events.json":
      return jsonResponse(events, lookup, siteName);
    case "embed/events":
      return renderEventsWidget(events, lookup, { name: siteName, colors: app.look.palette });
    default:
      return eventFeed(findFeedExtension(url), feed);
  }
}
