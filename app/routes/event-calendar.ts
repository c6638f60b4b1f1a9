import { appContext } from "../context.ts";
import { brandFile } from "../features/brand/files.server.ts";
import { eventOrigins } from "../features/events/listing/gather.server.ts";
import { calendarResponse } from "../features/events/listing/out.server.ts";
import { calendarOfOne, trueUntil } from "../features/events/listing/view.server.ts";
import type { Route } from "./+types/event-calendar.ts";

/** One event as a file that every calendar program opens. */
export async function loader({ context, params }: Route.LoaderArgs) {
  const app = context.get(appContext);
  const brand = app.site.read(brandFile);
  const origins = eventOrigins(app, brand);
  const text = await calendarOfOne(origins, params.id, brand.name);
  if (text === null) throw new Response("There is no such event.\n", { status: 404 });
  app.expireAt(trueUntil(origins));
  return calendarResponse(text, `${params.id}.ics`);
}
