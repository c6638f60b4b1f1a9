import { appContext } from "../context.ts";
import { siteSettingsFile } from "../features/brand/files.server.ts";
import { calendarResponse } from "../features/calendars/response.server.ts";
import { meetingFeed } from "../features/meetings/feed.server.ts";
import { overAt, toMeetingCalendar } from "../features/meetings/listing/describe.server.ts";
import { loadMeetings } from "../features/meetings/listing/view.server.ts";
import { meetingsCalendarPath } from "../features/meetings/model.ts";
import { findFeedExtension } from "../lib/links/feed-formats.ts";
import type { RouteHandle } from "../platform/route-handle.ts";
import type { Route } from "./+types/meeting-formats.ts";

export const handle = { queryParams: ["body"] } satisfies RouteHandle;

/** All coming meetings, or those of one body, as a feed, or as a calendar to subscribe to. */
export async function loader({ context, url, pattern }: Route.LoaderArgs) {
  const app = context.get(appContext);
  const { name } = app.site.read(siteSettingsFile);
  const view = await loadMeetings(app, url);
  if (`/${pattern}` !== meetingsCalendarPath)
    return meetingFeed(findFeedExtension(url), view, name);
  const { lookup, body, meetings } = view;
  const coming = meetings.filter((meeting) => overAt(meeting) > lookup.now);
  const title = `${name}: ${body?.name ?? lookup.texts.heading}`;
  return calendarResponse(toMeetingCalendar(lookup, coming, title));
}
