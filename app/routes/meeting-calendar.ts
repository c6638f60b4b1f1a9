import { appContext } from "../context.ts";
import { siteSettingsFile } from "../features/brand/files.server.ts";
import { calendarResponse } from "../features/events/calendars/write-calendar.server.ts";
import { toMeetingCalendar } from "../features/events/meetings/describe.server.ts";
import { createMeetingLookup, findMeeting } from "../features/events/meetings/gather.server.ts";
import { nextMidnight } from "../lib/dates.ts";
import type { Route } from "./+types/meeting-calendar.ts";

/** One meeting with its reminders, for calendar programs. */
export async function loader({ context, params }: Route.LoaderArgs) {
  const app = context.get(appContext);
  const lookup = createMeetingLookup(app);
  const meeting = await findMeeting(lookup, params.id);
  if (!meeting) throw new Response("There is no such meeting.\n", { status: 404 });
  app.expireAt(nextMidnight(lookup.now, lookup.timeZone));
  const { name } = app.site.read(siteSettingsFile);
  return calendarResponse(toMeetingCalendar(lookup, [meeting], name), `${params.id}.ics`);
}
