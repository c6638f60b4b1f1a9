import { daysBefore } from "../../lib/dates.ts";
import type { FeedExtension } from "../../lib/links/feed-formats.ts";
import { type FeedEntry, feedResponse } from "../../lib/links/feed-response.server.ts";
import { toQueryString } from "../../lib/links/query.ts";
import type { CityEvent } from "./listing/city-event.ts";
import { dateId, filterTitle, toEventItem } from "./listing/describe.server.ts";
import type { loadFollowedEvents } from "./listing/view.server.ts";
import { announcedDays, eventFeedPath, eventsPath, filterHref, toFilterParams } from "./model.ts";

const maxEntries = 100;

/**
 * A feed of the events of the next weeks, the latest announced first, each series with its next
 * date. It never contains samples, because feed readers keep what a feed once contained.
 */
export function eventFeed(
  extension: FeedExtension,
  { lookup, events, filter, siteName }: Awaited<ReturnType<typeof loadFollowedEvents>>,
): Response {
  const { now, origin, timeZone, texts } = lookup;
  const seenSeries = new Set<string>();
  const entries = events
    .filter((event) => !event.isSample && announcedAt(event) <= now)
    .filter(({ series }) => !seenSeries.has(series) && seenSeries.add(series))
    .slice(0, maxEntries)
    .map((event) => toEntry(event, { origin, timeZone, siteName }))
    .sort((one, other) => other.publishedAt.getTime() - one.publishedAt.getTime());
  return feedResponse(
    extension,
    {
      title: `${filterTitle(filter, timeZone) ?? texts.heading} | ${siteName}`,
      description: `The events of the next ${announcedDays} days.`,
      origin,
      page: filterHref(eventsPath, filter),
      path: eventFeedPath,
      query: toQueryString(toFilterParams(filter)),
      now,
    },
    entries,
  );
}

/** A reader's event may be accepted only a few days before it begins. */
function announcedAt({ startsAt, changedAt }: CityEvent): Date {
  const announced = daysBefore(startsAt, announcedDays);
  return changedAt !== null && changedAt > announced ? changedAt : announced;
}

function toEntry(
  event: CityEvent,
  { origin, timeZone, siteName }: { origin: string; timeZone: string; siteName: string },
): FeedEntry {
  const { title, excerpt, location, category, isCanceled, source } = event;
  const { path, dateLine, timeLine } = toEventItem(event, timeZone);
  const facts = [dateLine, timeLine, location].filter(Boolean).join(" · ");
  return {
    id: origin + (event.isMeeting ? path : `${eventsPath}/${dateId(event, timeZone)}`),
    title: isCanceled ? `Canceled: ${title}` : title,
    link: path,
    summary: excerpt === title ? facts : `${facts}. ${excerpt}`,
    category,
    publishedAt: announcedAt(event),
    authors: [source?.name ?? siteName],
  };
}
