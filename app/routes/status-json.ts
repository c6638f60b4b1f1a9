import { appContext } from "../context.ts";
import { eventsFile } from "../features/events/files.server.ts";
import { calendarHealth } from "../features/events/import/sources.server.ts";
import { eventsPath } from "../features/events/model.ts";
import { sectionsFile } from "../features/feeds/files.server.ts";
import { readSourceHealth } from "../features/feeds/health/health.server.ts";
import { meetingsFile } from "../features/meetings/files.server.ts";
import { meetingSourceHealth } from "../features/meetings/import/sources.server.ts";
import { officialAlertHealth } from "../features/official-alerts/refresh.server.ts";
import { weatherHealth } from "../features/weather/health.server.ts";
import type { RouteHandle } from "../platform/route-handle.ts";
import type { Route } from "./+types/status-json.ts";

export const handle = { cache: "none" } satisfies RouteHandle;

/** The same information as /status, for programs. */
export async function loader({ context }: Route.LoaderArgs) {
  const services = context.get(appContext);
  const { site, db, clock } = services;
  const sources = [
    ...(await readSourceHealth(db, site.read(sectionsFile))),
    ...(site.has(eventsPath) ? await calendarHealth(db, site.read(eventsFile).sources) : []),
    ...(await weatherHealth(services)),
    ...(await officialAlertHealth(services)),
    ...(await meetingSourceHealth(db, site.read(meetingsFile).sources)),
  ];
  return Response.json(
    { at: clock(), sources },
    { headers: { "Access-Control-Allow-Origin": "*" } },
  );
}
