import { createHash } from "node:crypto";
import { escapeHtml } from "../../../lib/text/html.ts";
import { crossOriginHeaders } from "../../calendars/response.server.ts";
import { standaloneTitle, type WallItem } from "../model.ts";
import { type CityEvent, eventPath } from "./city-event.ts";
import { dateId, eventStatus } from "./describe.server.ts";
import type { EventLookup } from "./gather.server.ts";
import { buildWall, isOnView } from "./select.server.ts";

export function jsonResponse(
  events: CityEvent[],
  { origin, timeZone }: EventLookup,
  name: string,
): Response {
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

const style = `
:root { color-scheme: light dark; font: 16px/1.45 system-ui, sans-serif; }
body { margin: 0; padding: 1rem; background: light-dark(#ffffff, #142338); color: light-dark(#15212f, #f0eadd); }
h1 { margin: 0 0 .75rem; padding-top: .5rem; border-top: 4px solid #e9b13c; font: 600 1.35rem/1.2 Georgia, serif; }
h2 { margin: 1.1rem 0 .3rem; font-size: .9rem; color: light-dark(#ac2c1b, #f6947f); }
ul { margin: 0; padding: 0; list-style: none; }
li { padding: .45rem 0; border-top: 1px solid light-dark(#ddd3bf, #2b3e55); }
a { color: light-dark(#17487a, #93c6ef); font-weight: 600; text-underline-offset: .2em; }
p { margin: .15rem 0 0; font-size: .9rem; color: light-dark(#4a5664, #b4bfca); }
`;
const policy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash("sha256").update(style).digest("base64")}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors *",
].join("; ");

/**
 * Renders the events widget, a page that other sites can show in a frame. It is self-contained: it
 * loads no other files and has no scripts.
 */
export function renderEventsWidget(
  events: CityEvent[],
  lookup: EventLookup,
  name: string,
): Response {
  const { now, timeZone, origin } = lookup;
  const ofDays = events.filter((event) => !isOnView(event, now));
  const { days } = buildWall(ofDays.slice(0, maxWidgetEvents), now, now, timeZone);
  const link = (path: string, text: string) =>
    `<a href="${escapeHtml(`${origin}${path}`)}" target="_blank" rel="noopener">${escapeHtml(text)}</a>`;
  const item = ({ path, title, isSample, timeLine, location }: WallItem) =>
    `<li>${link(path, standaloneTitle({ title, isSample }))}<p>${escapeHtml([timeLine, location].filter(Boolean).join(" · "))}</p></li>`;
  const body = days
    .map(
      ({ heading, items }) => `<h2>${escapeHtml(heading)}</h2><ul>${items.map(item).join("")}</ul>`,
    )
    .join("");
  const markup = `<!doctype html>
<html lang="en-US">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex"><title>${escapeHtml(`Events from ${name}`)}</title>
<style>${style}</style></head>
<body><main><h1>${escapeHtml(`Events from ${name}`)}</h1>${body || "<p>No upcoming events.</p>"}<p>${link("/events", "All events")}</p></main></body>
</html>
`;
  return new Response(markup, {
    headers: {
      "Content-Type": "text/html; charset=utf-8",
      "Content-Security-Policy": policy,
      "Cross-Origin-Resource-Policy": "cross-origin",
    },
  });
}
