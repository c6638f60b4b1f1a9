import { data } from "react-router";
import { appContext } from "../context.ts";
import { brandFile } from "../features/brand/files.server.ts";
import { findEvent } from "../features/events/calendar.server.ts";
import { EventPage } from "../features/events/event-page.tsx";
import { eventsFolder } from "../features/events/files.server.ts";
import { pageMeta } from "../features/seo/meta.ts";
import { eventData } from "../features/seo/structured-data.ts";
import { nextMidnight } from "../lib/dates.ts";
import type { Route } from "./+types/event.ts";

export function loader({ context, params }: Route.LoaderArgs) {
  const { site, clock, expireAt } = context.get(appContext);
  const { timeZone } = site.read(brandFile);
  const now = clock();
  const event = findEvent(site.readAll(eventsFolder), params.id, now, timeZone);
  if (!event) throw data(null, { status: 404, statusText: "Not Found" });
  expireAt(nextMidnight(now, timeZone));
  return { event };
}

export function meta({ matches, loaderData }: Route.MetaArgs) {
  const site = matches[0].loaderData?.site;
  if (!loaderData || !site) return [];
  const { event } = loaderData;
  const { id, title, excerpt } = event;
  return [...pageMeta(site, { title, description: excerpt, path: `/events/${id}` }), eventData(site, event)];
}

export default function EventRoute({ loaderData }: Route.ComponentProps) {
  return <EventPage event={loaderData.event} />;
}
