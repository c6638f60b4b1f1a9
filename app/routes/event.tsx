import { data } from "react-router";
import { appContext } from "../context.ts";
import { siteSettingsFile } from "../features/brand/files.server.ts";
import { createEventLookup } from "../features/events/listing/gather.server.ts";
import { toShareCard } from "../features/events/listing/share-cards.server.ts";
import { loadEventDetails, validUntil } from "../features/events/listing/view.server.ts";
import { EventPage } from "../features/events/pages/event-page.tsx";
import { describeShareImage } from "../features/share-images/describe.server.ts";
import { loaderDataOf } from "../lib/http/loader-data.ts";
import { pageMeta } from "../ui/seo/meta.ts";
import { breadcrumbData, eventData } from "../ui/seo/structured-data.ts";
import type { Route } from "./+types/event.ts";

export async function loader({ context, params }: Route.LoaderArgs) {
  const app = context.get(appContext);
  const lookup = createEventLookup(app, app.site.read(siteSettingsFile));
  const event = await loadEventDetails(lookup, params.id);
  if (!event) throw data(null, { status: 404, statusText: "Not Found" });
  app.expireAt(validUntil(lookup));
  const url = `${lookup.origin}/events/${event.id}`;
  const card = toShareCard(event);
  return {
    event,
    url,
    shareImage: describeShareImage(app.site, { kind: "events", id: event.id, card }),
  };
}

export function meta({ matches, loaderData }: Route.MetaArgs) {
  const site = loaderDataOf(matches, "root")?.site;
  if (!loaderData || !site) return [];
  const { event, shareImage } = loaderData;
  const { id, title, excerpt, isSample } = event;
  const head = {
    title,
    description: excerpt,
    path: `/events/${id}`,
    index: !isSample,
    image: shareImage,
  };
  // Search engines present structured data as facts, but a sample event does not take place.
  if (isSample) return pageMeta(site, head);
  return [
    ...pageMeta(site, head),
    ...(import.meta.env.SSR
      ? [
          eventData(site, event),
          breadcrumbData(
            site,
            { name: "Events", path: "/events" },
            { name: title, path: head.path },
          ),
        ]
      : []),
  ];
}

export default function EventRoute({ loaderData }: Route.ComponentProps) {
  return <EventPage event={loaderData.event} url={loaderData.url} />;
}
