import { artPath } from "../../lib/images/art.ts";
import type { SearchDocument } from "../../platform/search-document.ts";
import { noPage, type Services } from "../../platform/services.ts";
import type { ShareCard, ShareCardSource } from "../../platform/share-card.ts";
import type { SitemapSource } from "../../platform/sitemap.ts";
import { type CityEvent, eventPath, isMeeting } from "./listing/city-event.ts";
import { type EventDetails, toEventItem } from "./listing/describe.server.ts";
import { createEventLookup, eventsWithin } from "./listing/gather.server.ts";
import { findableWindow } from "./listing/select.server.ts";
import { loadEventDetails, validUntil } from "./listing/view.server.ts";
import { type MeetingDetails, toMeetingDetails } from "./meetings/describe.server.ts";
import { createMeetingLookup, findMeeting, listMeetings } from "./meetings/gather.server.ts";
import { meetingPath } from "./meetings/model.ts";

const maxEvents = 2_000;

/** Returns one search document per series, for its next date or, if all are over, its last one. */
export async function eventDocuments(services: Services): Promise<SearchDocument[]> {
  const lookup = createEventLookup({ ...services, ...noPage });
  const events = await eventsWithin(lookup, findableWindow(lookup));
  // Meetings have documents of their own.
  const searchable = events.filter((event) => !event.isCanceled && !isMeeting(event));
  const bySeries = Map.groupBy(searchable, ({ series }) => series).values();
  return [...bySeries].slice(0, maxEvents).flatMap((dates): SearchDocument[] => {
    const event = dates.find(({ startsAt }) => startsAt >= lookup.now) ?? dates.at(-1);
    return event ? [toDocument("event", event, lookup.timeZone, event.excerpt)] : [];
  });
}

export async function meetingDocuments(services: Services): Promise<SearchDocument[]> {
  const lookup = createMeetingLookup({ ...services, ...noPage });
  return (await listMeetings(lookup)).map((event) => {
    const { dateLine, timeLine } = toEventItem(event, lookup.timeZone);
    const { body, howToSpeak } = event.meeting;
    const text = [event.text, howToSpeak?.text].filter(Boolean).join("\n");
    const summary = `${body}, ${dateLine}, ${timeLine}`;
    return toDocument("meeting", { ...event, text }, lookup.timeZone, summary);
  });
}

function toDocument(
  prefix: string,
  event: CityEvent,
  timeZone: string,
  summary: string,
): SearchDocument {
  const { id, title, location, html, text, category, startsAt, isSample } = event;
  return {
    id: `${prefix}:${id}`,
    kind: "event",
    link: eventPath({ ...event, day: null }),
    title,
    detail: [toEventItem(event, timeZone).dateLine, location].filter(Boolean).join(" · "),
    summary,
    ...(html === null ? { body: text } : { source: { format: "html", text: html } }),
    keywords: category,
    at: startsAt,
    isSample,
  };
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
        .filter((event) => !event.isSample && !isMeeting(event))
        .map((event) => [event.id, event]),
    );
    return [...byId.values()].map(({ id, changedAt }) => ({
      path: `/events/${encodeURIComponent(id)}`,
      changedAt,
    }));
  },
};

/** The meetings about which there is more to read than a date. No samples. */
export const meetingSitemap: SitemapSource = {
  async pages(services) {
    const lookup = createMeetingLookup(services);
    return (await listMeetings(lookup))
      .filter((meeting) => !meeting.isSample && toMeetingDetails(meeting, lookup).hasDetails)
      .map(({ id, changedAt }) => ({ path: meetingPath(encodeURIComponent(id)), changedAt }));
  },
};

type CardFacts = Pick<EventDetails, "title" | "dateLine" | "timeLine" | "location"> &
  Pick<EventDetails, "isCanceled" | "isSample">;

const toShareCard = (
  event: CardFacts,
  more: Pick<ShareCard, "label" | "image" | "dateTile">,
): ShareCard => ({
  ...more,
  title: event.title,
  lines: [event.dateLine, event.timeLine, event.location].filter((line) => line !== ""),
  mark: event.isCanceled ? "Canceled" : event.isSample ? "Sample" : null,
});

export const toEventCard = (event: EventDetails): ShareCard => {
  const { category, image, dateTile } = event;
  return toShareCard(event, {
    label: category === "" ? "Events" : `Events · ${category}`,
    image: image && { path: artPath(image.file), alt: image.alt, focus: image.focus },
    dateTile,
  });
};

export const toMeetingCard = (meeting: MeetingDetails): ShareCard =>
  toShareCard(meeting, {
    label: `Public meetings · ${meeting.bodyName}`,
    image: null,
    dateTile: null,
  });

export const eventShareCards: ShareCardSource = {
  kind: "events",
  async find(services, id) {
    const event = await loadEventDetails(createEventLookup(services), id);
    return event && toEventCard(event);
  },
};

export const meetingShareCards: ShareCardSource = {
  kind: "meetings",
  async find(services, id) {
    const lookup = createMeetingLookup(services);
    const meeting = await findMeeting(lookup, id);
    return meeting && toMeetingCard(toMeetingDetails(meeting, lookup));
  },
};
