import { appContext } from "../context.ts";
import { toEventCard } from "../features/events/documents.server.ts";
import { readNextEvents } from "../features/events/listing/coming.server.ts";
import { toEventDetails } from "../features/events/listing/describe.server.ts";
import { createEventLookup, missingEventStatus } from "../features/events/listing/gather.server.ts";
import { findEventAt, validUntil } from "../features/events/listing/view.server.ts";
import { EventPage } from "../features/events/pages/event-page.tsx";
import { missingPage } from "../features/failures/missing.server.ts";
import { describeShareImage } from "../features/share-images/describe.server.ts";
import type { RouteHandle } from "../platform/route-handle.ts";
import { pageMeta } from "../ui/seo/meta.ts";
import { breadcrumbData, eventData } from "../ui/seo/structured-data.ts";
import type { Route } from "./+types/event.ts";

export const handle = { queryParams: ["day"] } satisfies RouteHandle;

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const app = context.get(appContext);
  const lookup = createEventLookup(app);
  const found = await findEventAt(lookup, params.id, url);
  if (!found) throw await missingPage(app, await missingEventStatus(lookup, params.id));
  const event = toEventDetails(found.event, found.others, lookup);
  app.expireAt(validUntil(lookup));
  const card = { kind: "events", id: event.id, card: toEventCard(event) } as const;
  return {
    event,
    url: lookup.origin + event.path,
    next: await readNextEvents(app, lookup, found.event),
    // There is only one card per series, with its next date.
    shareImage: event.day === null ? describeShareImage(app.site, card) : null,
  };
}

export function meta({ matches: [root], loaderData }: Route.MetaArgs) {
  const { site } = root.loaderData;
  const { event, shareImage: image } = loaderData;
  const { id, title, excerpt, isSample } = event;
  const path = `/events/${id}`;
  return [
    ...pageMeta(site, { title, description: excerpt, path, index: !isSample, image }),
    // Search engines present structured data as facts, but a sample event does not take place.
    ...(import.meta.env.SSR && !isSample
      ? [
          eventData(site, { ...event, path }),
          breadcrumbData(site, { name: "Events", path: "/events" }, { name: title, path }),
        ]
      : []),
  ];
}

export default function EventRoute({ loaderData }: Route.ComponentProps) {
  const { event, url, next } = loaderData;
  return <EventPage event={event} url={url} next={next} />;
}
