import { crossOriginHeaders } from "../../../lib/http/cross-origin.server.ts";
import { widgetLink, widgetResponse } from "../../../lib/links/widget-response.server.ts";
import type { Palette } from "../../../lib/look/palette.ts";
import { escapeHtml } from "../../../lib/text/html.ts";
import { eventsPath, standaloneTitle, type WallItem } from "../model.ts";
import { dateId, eventStatus } from "./calendar.server.ts";
import { type CityEvent, eventPath } from "./city-event.ts";
import type { EventLookup } from "./gather.server.ts";
import { buildWall, isOnView } from "./select.server.ts";

export function jsonResponse(events: CityEvent[], { origin, timeZone }: EventLookup, name: string) {
  const items = events.map((event) => ({
    id: dateId(event, timeZone),
    series: event.id,
    url: origin + eventPath(event),
    title: standaloneTitle(event),
    summary: event.excerpt,
    startsAt: event.startsAt.toISOString(),
    endsAt: event.endsAt > event.startsAt ? event.endsAt.toISOString() : null,
    allDay: event.allDay,
    location: event.location,
    category: event.category,
    free: event.free,
    sample: event.isSample,
    status: eventStatus(event),
    source: event.source?.name ?? name,
  }));
  return Response.json(
    { name, timeZone, page: `${origin}/events`, events: items },
    { headers: crossOriginHeaders },
  );
}

const maxWidgetEvents = 20;

export function renderEventsWidget(
  events: CityEvent[],
  lookup: EventLookup,
  { name, colors }: { name: string; colors: Palette },
): Response {
  const { now, timeZone, origin } = lookup;
  const ofDays = events.filter((event) => !isOnView(event, now));
  const { days } = buildWall(ofDays.slice(0, maxWidgetEvents), now, now, timeZone);
  const item = ({ path, title, isSample, timeLine, location }: WallItem) =>
    `<li>${widgetLink(origin + path, standaloneTitle({ title, isSample }))}<p>${escapeHtml([timeLine, location].filter(Boolean).join(" · "))}</p></li>`;
  const list = days
    .map(
      ({ heading, items }) => `<h2>${escapeHtml(heading)}</h2><ul>${items.map(item).join("")}</ul>`,
    )
    .join("");
  const title = `Events from ${name}`;
  const all = `<p>${widgetLink(`${origin}${eventsPath}`, "All events")}</p>`;
  const content = (list || "<p>No upcoming events.</p>") + all;
  return widgetResponse({ title, heading: title, content }, colors);
}
