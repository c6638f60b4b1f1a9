import { appContext } from "../context.ts";
import { AdRow } from "../features/ads/ad-row.tsx";
import { prepareAdRows } from "../features/ads/rows.server.ts";
import { Embed } from "../features/embeds/embed.tsx";
import { embedsFile } from "../features/embeds/files.server.ts";
import { createEventLookup } from "../features/events/listing/gather.server.ts";
import { externalWall, loadEventsView } from "../features/events/listing/view.server.ts";
import {
  announcedDays,
  filterHref,
  filterParamNames,
  followLinks,
  toFeed,
  toFollowedFilter,
} from "../features/events/model.ts";
import { EventsPage } from "../features/events/pages/events-page.tsx";
import { MonthView } from "../features/events/pages/month.tsx";
import { Wall } from "../features/events/pages/wall.tsx";
import type { RouteHandle } from "../platform/route-handle.ts";
import { pageMeta } from "../ui/seo/meta.ts";
import { breadcrumbData } from "../ui/seo/structured-data.ts";
import { Follow } from "../ui/share/follow.tsx";
import type { Route } from "./+types/events.ts";

export const handle = { queryParams: filterParamNames } satisfies RouteHandle;

export async function loader({ context, url }: Route.LoaderArgs) {
  const app = context.get(appContext);
  const lookup = createEventLookup(app);
  const view = await loadEventsView(lookup, url, app);
  const content = { ...view, wallEmbed: externalWall(lookup, app.site.read(embedsFile).eager) };
  const findAdRow = await prepareAdRows(app, "events", content);
  return { ...content, ads: findAdRow("end") };
}

export function meta({ matches: [root], loaderData }: Route.MetaArgs) {
  const { site } = root.loaderData;
  const { head, breadcrumbs, filter, followTitle } = loaderData;
  return [
    ...pageMeta(site, head),
    ...(import.meta.env.SSR && breadcrumbs.length > 0
      ? [breadcrumbData(site, ...breadcrumbs)]
      : []),
    ...followLinks(filter, followTitle),
  ];
}

export default function EventsRoute({ loaderData, matches }: Route.ComponentProps) {
  const { shown, wallEmbed, ads, followTitle, head: _head, ...page } = loaderData;
  const { origin } = matches[0].loaderData.site;
  const followed = toFollowedFilter(page.filter);
  const follow = (
    <Follow
      origin={origin}
      title={followTitle}
      calendar={filterHref("/events.ics", followed)}
      feed={toFeed(followed)}
      feedNote={`The events of the next ${announcedDays} days, each series with its next date.`}
      widget={filterHref("/embed/events", followed)}
    />
  );
  return (
    <>
      <EventsPage {...page} hasFilters={wallEmbed === null} follow={follow}>
        {wallEmbed ? (
          <Embed content={wallEmbed} className="aspect-9/16 min-h-112 w-full" />
        ) : shown.kind === "month" ? (
          <MonthView month={shown.month} filter={page.filter} />
        ) : (
          <Wall days={shown.days} moreCount={shown.moreCount} filter={page.filter} />
        )}
      </EventsPage>
      <AdRow row={ads} />
    </>
  );
}
