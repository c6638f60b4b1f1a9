import { appContext } from "../context.ts";
import { siteSettingsFile } from "../features/brand/files.server.ts";
import { calendarResponse } from "../features/events/calendars/write-calendar.server.ts";
import { createEventLookup, missingEventStatus } from "../features/events/listing/gather.server.ts";
import { validUntil, writeEventCalendar } from "../features/events/listing/view.server.ts";
import type { RouteHandle } from "../platform/route-handle.ts";
import type { Route } from "./+types/event-calendar.ts";

export const handle = { queryParams: ["day"] } satisfies RouteHandle;

/** One event as an iCalendar file, which every calendar program can open. */
export async function loader({ context, params, url }: Route.LoaderArgs) {
  const app = context.get(appContext);
  const settings = app.site.read(siteSettingsFile);
  const lookup = createEventLookup(app);
  const text = await writeEventCalendar(lookup, params.id, settings.name, url);
  if (text === null) {
    const status = await missingEventStatus(lookup, params.id);
    throw new Response("There is no such event.\n", { status });
  }
  app.expireAt(validUntil(lookup));
  return calendarResponse(text, `${params.id}.ics`);
}
