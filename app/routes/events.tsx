import { appContext } from "../context.ts";
import { AdRow } from "../features/ads/ad-row.tsx";
import { prepareAdRows } from "../features/ads/rows.server.ts";
import { siteSettingsFile } from "../features/brand/files.server.ts";
import { Embed } from "../features/embeds/embed.tsx";
import { embedsFile } from "../features/embeds/files.server.ts";
import { eventsFile } from "../features/events/files.server.ts";
import { createEventLookup } from "../features/events/listing/gather.server.ts";
import {
  externalWall,
  loadEventsView,
  validUntil,
} from "../features/events/listing/view.server.ts";
import { eventsPath, filterParamNames } from "../features/events/model.ts";
import { EventsPage } from "../features/events/pages/events-page.tsx";
import { MonthView } from "../features/events/pages/month.tsx";
import { Wall } from "../features/events/pages/wall.tsx";
import { loaderDataOf } from "../lib/http/loader-data.ts";
import type { RouteHandle } from "../platform/route-handle.ts";
import { pageMeta } from "../ui/seo/meta.ts";
import type { Route } from "./+types/events.ts";

export const handle = { page: { params: filterParamNames } } satisfies RouteHandle;

export async function loader({ context, url }: Route.LoaderArgs) {
  const app = context.get(appContext);
  const { site, expireAt } = app;
  const lookup = createEventLookup(app, site.read(siteSettingsFile));
  const view = await loadEventsView(lookup, url);
  expireAt(validUntil(lookup));
  const { title, description } = site.read(eventsFile);
  const content = {
    ...view,
    head: { title: view.viewTitle ?? title, description },
    wallEmbed: externalWall(lookup, site.read(embedsFile).eager),
  };
  const adRow = await prepareAdRows(app, "events", content);
  return { ...content, ads: adRow("end") };
}

export function meta({ matches, loaderData }: Route.MetaArgs) {
  if (!loaderData) return [];
  return [
    ...pageMeta(loaderDataOf(matches, "root")?.site, { ...loaderData.head, path: eventsPath }),
    {
      tagName: "link",
      rel: "alternate",
      type: "text/calendar",
      title: "Events",
      href: "/events.ics",
    },
  ];
}

export default function EventsRoute({ loaderData }: Route.ComponentProps) {
  const { shown, wallEmbed, ads, head: _head, ...page } = loaderData;
  return (
    <>
      <EventsPage {...page} hasFilters={wallEmbed === null}>
        {wallEmbed ? (
          <Embed content={wallEmbed} className="events-frame" />
        ) : shown.kind === "month" ? (
          <MonthView month={shown.month} filter={page.filter} />
        ) : (
          <Wall days={shown.days} moreCount={shown.moreCount} />
        )}
      </EventsPage>
      <AdRow row={ads} />
    </>
  );
}
