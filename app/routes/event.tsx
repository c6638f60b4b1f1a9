import { appContext } from "../context.ts";
import { siteSettingsFile } from "../features/brand/files.server.ts";
import { toEventDetails } from "../features/events/listing/describe.server.ts";
import {
  createEventLookup,
  findEvent,
  missingEventStatus,
} from "../features/events/listing/gather.server.ts";
import { readNextEvents } from "../features/events/listing/next-events.server.ts";
import { toShareCard } from "../features/events/listing/share-cards.server.ts";
import { validUntil } from "../features/events/listing/view.server.ts";
import { EventPage } from "../features/events/pages/event-page.tsx";
import { missingPage } from "../features/failures/missing.server.ts";
import { describeShareImage } from "../features/share-images/describe.server.ts";
import { loaderDataOf } from "../lib/http/loader-data.ts";
import { pageMeta } from "../ui/seo/meta.ts";
import { breadcrumbData, eventData } from "../ui/seo/structured-data.ts";
import type { Route } from "./+types/event.ts";

export async function loader({ context, params }: Route.LoaderArgs) {
  const app = context.get(appContext);
  const lookup = createEventLookup(app, app.site.read(siteSettingsFile));
  const found = await findEvent(lookup, params.id);
  if (!found) throw await missingPage(app, await missingEventStatus(lookup, params.id));
  const event = toEventDetails(found.event, found.others, lookup.now, lookup);
  app.expireAt(validUntil(lookup));
  const url = `${lookup.origin}/events/${event.id}`;
  const card = toShareCard(event);
  return {
    event,
    url,
    next: await readNextEvents(app, lookup, found.event),
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
  const { event, url, next } = loaderData;
  return <EventPage event={event} url={url} next={next} />;
}
