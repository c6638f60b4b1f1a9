import { widgetLink, widgetResponse } from "../../../lib/links/widget-response.server.ts";
import type { Palette } from "../../../lib/look/palette.ts";
import { escapeHtml } from "../../../lib/text/html.ts";
import type { Headline } from "../model.ts";

export const maxWidgetItems = 20;

export function renderWidget(
  { title, page, headlines }: { title: string; page: string; headlines: Headline[] },
  { name, origin, colors }: { name: string; origin: string; colors: Palette },
  limit: number,
): Response {
  const items = headlines
    .slice(0, limit)
    .map(
      ({ title: headline, link, source, time }) =>
        `<li>${widgetLink(new URL(link, origin).href, headline)}<p>${escapeHtml(source)} · <time datetime="${time.iso}">${escapeHtml(time.shown)}</time></p></li>`,
    );
  const list =
    items.length > 0 ? `<ul>${items.join("")}</ul>` : "<p>No headlines have arrived yet.</p>";
  const content = `${list}<p>From ${widgetLink(origin + page, name)}</p>`;
  return widgetResponse({ title: `${title} | ${name}`, heading: title, content }, colors);
}
