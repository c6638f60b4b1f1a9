import { appContext } from "../context.ts";
import { calendarHealth, calendarHealthTag } from "../features/calendars/sources.server.ts";
import { eventsFile } from "../features/events/files.server.ts";
import { sectionsFile } from "../features/feeds/files.server.ts";
import { sourceHealth } from "../features/feeds/health.server.ts";
import { healthTag } from "../features/feeds/refresh.server.ts";
import type { Route } from "./+types/status-json.ts";

/** The same as /status, for programs. */
export async function loader({ context }: Route.LoaderArgs) {
  const { site, db, tags, clock } = context.get(appContext);
  tags.add(healthTag);
  tags.add(calendarHealthTag);
  const sources = [
    ...(await sourceHealth(db, site.read(sectionsFile))),
    ...(await calendarHealth(db, site.read(eventsFile).sources)),
  ];
  return Response.json({ at: clock(), sources }, { headers: { "Access-Control-Allow-Origin": "*" } });
}
