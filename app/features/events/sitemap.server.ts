import type { SitemapSource } from "../../platform/sitemap.ts";
import { createEventLookup, eventsWithin } from "./listing/gather.server.ts";
import { findableWindow } from "./listing/select.server.ts";
import { validUntil } from "./listing/view.server.ts";

/** The events that search finds too: those of the last weeks and the coming year. No samples. */
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
