import { artPath } from "../../lib/images/art.ts";
import type { SearchDocument } from "../../platform/search-document.ts";
import { noPage, type Services } from "../../platform/services.ts";
import type { ShareCard, ShareCardSource } from "../../platform/share-card.ts";
import type { SitemapSource } from "../../platform/sitemap.ts";
import { type EventDetails, toEventItem } from "./listing/describe.server.ts";
import { createEventLookup, eventsWithin } from "./listing/gather.server.ts";
import { findableWindow } from "./listing/select.server.ts";
import { loadEventDetails, validUntil } from "./listing/view.server.ts";

const maxEvents = 2_000;

/** Returns one search document per series, for its next date or, if all are over, its last one. */
export async function eventDocuments(services: Services): Promise<SearchDocument[]> {
  const lookup = createEventLookup({ ...services, ...noPage });
  const events = await eventsWithin(lookup, findableWindow(lookup));
  // Meetings have documents of their own.
  const searchable = events.filter(({ isCanceled, isMeeting }) => !isCanceled && !isMeeting);
  const bySeries = Map.groupBy(searchable, ({ series }) => series).values();
  return [...bySeries].slice(0, maxEvents).flatMap((dates): SearchDocument[] => {
    const event = dates.find(({ startsAt }) => startsAt >= lookup.now) ?? dates.at(-1);
    if (!event) return [];
    const { dateLine, title, location, id } = toEventItem(event, lookup.timeZone);
    return [
      {
        id: `event:${id}`,
        kind: "event",
        link: `/events/${id}`,
        title,
        detail: [dateLine, location].filter(Boolean).join(" · "),
        summary: event.excerpt,
        ...(event.html === null
          ? { body: event.text }
          : { source: { format: "html", text: event.html } }),
        keywords: event.category,
        at: event.startsAt,
        isSample: event.isSample,
      },
    ];
  });
}

/**
 * Like search, the sitemap has the events of the last weeks and the coming year, but no samples.
 */
export const eventSitemap: SitemapSource = {
  async pages(services) {
    const lookup = createEventLookup(services);
    services.expireAt(validUntil(lookup));
    const events = await eventsWithin(lookup, findableWindow(lookup));
    // All dates of one of our own series have the same page.
    const byId = new Map(
      events
        .filter(({ isSample, isMeeting }) => !isSample && !isMeeting)
        .map((event) => [event.id, event]),
    );
    return [...byId.values()].map(({ id, changedAt }) => ({
      path: `/events/${encodeURIComponent(id)}`,
      changedAt,
    }));
  },
};

export function toShareCard(event: EventDetails): ShareCard {
  const { category, title, dateLine, timeLine, location, image, dateTile } = event;
  return {
    label: category === "" ? "Events" : `Events · ${category}`,
    title,
    lines: [dateLine, timeLine, location].filter((line) => line !== ""),
    image: image && { path: artPath(image.file), alt: image.alt, focus: image.focus },
    mark: event.isCanceled ? "Canceled" : event.isSample ? "Sample" : null,
    dateTile,
  };
}

export const eventShareCards: ShareCardSource = {
  kind: "events",
  async find(services, id) {
    const lookup = createEventLookup(services);
    const event = await loadEventDetails(lookup, id);
    return event && toShareCard(event);
  },
};
