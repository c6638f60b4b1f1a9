import { appContext } from "../context.ts";
import { siteSettingsFile } from "../features/brand/files.server.ts";
import { calendarResponse } from "../features/calendars/response.server.ts";
import { overAt, toMeetingCalendar } from "../features/meetings/listing/describe.server.ts";
import { loadMeetings } from "../features/meetings/listing/view.server.ts";
import type { RouteHandle } from "../platform/route-handle.ts";
import type { Route } from "./+types/meetings-calendar.ts";

export const handle = { params: ["body"] } satisfies RouteHandle;

/** The calendar that readers subscribe to: all coming meetings, or those of one body. */
export async function loader({ context, url }: Route.LoaderArgs) {
  const app = context.get(appContext);
  const { lookup, body, meetings } = await loadMeetings(app, url);
  const coming = meetings.filter((meeting) => overAt(meeting) > lookup.now);
  const name = `${app.site.read(siteSettingsFile).name}: ${body?.name ?? lookup.texts.heading}`;
  return calendarResponse(toMeetingCalendar(lookup, coming, name));
}
