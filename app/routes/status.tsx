import { appContext } from "../context.ts";
import { siteSettingsFile } from "../features/brand/files.server.ts";
import { eventsFile } from "../features/events/files.server.ts";
import { calendarHealth } from "../features/events/import/sources.server.ts";
import { eventsPath } from "../features/events/model.ts";
import { sectionsFile } from "../features/feeds/files.server.ts";
import { readSourceHealth } from "../features/feeds/health/health.server.ts";
import { toStatusRows } from "../features/feeds/health/status-rows.server.ts";
import { StatusPage } from "../features/feeds/pages/status-page.tsx";
import { meetingsFile } from "../features/meetings/files.server.ts";
import { meetingSourceHealth } from "../features/meetings/import/sources.server.ts";
import { officialAlertHealth } from "../features/official-alerts/refresh.server.ts";
import { weatherHealth } from "../features/weather/health.server.ts";
import { loaderDataOf } from "../lib/http/loader-data.ts";
import type { RouteHandle } from "../platform/route-handle.ts";
import { pageMeta } from "../ui/seo/meta.ts";
import type { Route } from "./+types/status.ts";

/** Not cached, because the page shows the current status. */
export const handle = { cache: "none" } satisfies RouteHandle;

export async function loader({ context }: Route.LoaderArgs) {
  const services = context.get(appContext);
  const { site, db } = services;
  const { timeZone } = site.read(siteSettingsFile);
  const sections = site.read(sectionsFile);
  const health = [
    ...(await readSourceHealth(db, sections)),
    ...(site.has(eventsPath) ? await calendarHealth(db, site.read(eventsFile).sources) : []),
    ...(await weatherHealth(services)),
    ...(await officialAlertHealth(services)),
    ...(await meetingSourceHealth(db, site.read(meetingsFile).sources)),
  ];
  return { sources: toStatusRows(health, sections, timeZone) };
}

export function meta({ matches }: Route.MetaArgs) {
  const description =
    "The status of each of our sources: when it last responded, and what went wrong if it did not.";
  return pageMeta(loaderDataOf(matches, "root")?.site, {
    title: "Sources",
    description,
    path: "/status",
    index: false,
  });
}

export default function StatusRoute({ loaderData }: Route.ComponentProps) {
  return <StatusPage sources={loaderData.sources} />;
}
