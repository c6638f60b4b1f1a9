import { appContext } from "../context.ts";
import { siteSettingsFile } from "../features/brand/files.server.ts";
import { calendarResponse } from "../features/events/calendars/write-calendar.server.ts";
import { meetingFeed } from "../features/events/feed.server.ts";
import { isOver } from "../features/events/listing/describe.server.ts";
import { toMeetingCalendar } from "../features/events/meetings/describe.server.ts";
import { meetingsCalendarPath } from "../features/events/meetings/model.ts";
import { loadMeetings } from "../features/events/meetings/view.server.ts";
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
  const coming = meetings.filter((meeting) => !isOver(meeting, lookup.now));
  const title = `${name}: ${body?.name ?? lookup.meetingTexts.heading}`;
  return calendarResponse(toMeetingCalendar(lookup, coming, title));
}
