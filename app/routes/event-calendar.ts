import { appContext } from "../context.ts";
import { brandFile } from "../features/brand/files.server.ts";
import { eventLookup } from "../features/events/listing/gather.server.ts";
import { calendarResponse } from "../features/events/listing/responses.server.ts";
import { eventCalendar, validUntil } from "../features/events/listing/view.server.ts";
import type { Route } from "./+types/event-calendar.ts";

/** One event as an iCalendar file, which every calendar program can open. */
export async function loader({ context, params }: Route.LoaderArgs) {
  const app = context.get(appContext);
  const brand = app.site.read(brandFile);
  const lookup = eventLookup(app, brand);
  const text = await eventCalendar(lookup, params.id, brand.name);
  if (text === null) throw new Response("There is no such event.\n", { status: 404 });
  app.expireAt(validUntil(lookup));
  return calendarResponse(text, `${params.id}.ics`);
}
