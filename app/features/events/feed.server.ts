import { daysBefore } from "../../lib/dates.ts";
import type { FeedExtension } from "../../lib/links/feed-formats.ts";
import { type FeedEntry, feedResponse } from "../../lib/links/feed-response.server.ts";
import { toQueryString } from "../../lib/links/query.ts";
import { dateId } from "./listing/calendar.server.ts";
import type { CityEvent } from "./listing/city-event.ts";
import { filterTitle, isOver, toEventItem } from "./listing/describe.server.ts";
import { oncePerSeries } from "./listing/select.server.ts";
import type { loadFollowedEvents } from "./listing/view.server.ts";
import { toMeetingItem } from "./meetings/describe.server.ts";
import {
  announcedMeetingDays,
  meetingFeedPath,
  meetingsPath,
  toBodyQuery,
} from "./meetings/model.ts";
import type { loadMeetings } from "./meetings/view.server.ts";
import { announcedDays, eventFeedPath, eventsPath, filterHref, toFilterParams } from "./model.ts";

/** A feed of the events of the next weeks, each series with its next date. */
export function eventFeed(
  extension: FeedExtension,
  { lookup, events, filter, siteName }: Awaited<ReturnType<typeof loadFollowedEvents>>,
): Response {
  const { origin, timeZone, texts } = lookup;
  return writeFeed(extension, lookup, siteName, {
    title: `${filterTitle(filter, timeZone) ?? texts.heading} | ${siteName}`,
    noun: "events",
    days: announcedDays,
    page: filterHref(eventsPath, filter),
    path: eventFeedPath,
    query: toQueryString(toFilterParams(filter)),
    events: oncePerSeries(events),
    // A reader's event may be accepted only a few days before it begins.
    knownSince: ({ changedAt }) => changedAt,
    toEntry(event) {
      const { title, excerpt, location, category, isCanceled, meeting } = event;
      const { path, dateLine, timeLine } = toEventItem(event, timeZone);
      const facts = joinFacts(dateLine, timeLine, location);
      return {
        id: origin + (meeting ? path : `${eventsPath}/${dateId(event, timeZone)}`),
        title: isCanceled ? `Canceled: ${title}` : title,
        link: path,
        summary: excerpt === title ? facts : `${facts}. ${excerpt}`,
        category,
      };
    },
  });
}

/**
 * A feed of the meetings of the next two weeks. The entry of a meeting that was moved or canceled is
 * updated.
 */
export function meetingFeed(
  extension: FeedExtension,
  { lookup, body, meetings }: Awaited<ReturnType<typeof loadMeetings>>,
  siteName: string,
): Response {
  const { now, origin, timeZone, meetingTexts } = lookup;
  const query = toBodyQuery(body?.slug ?? null);
  return writeFeed(extension, lookup, siteName, {
    title: `${body?.name ?? meetingTexts.heading} | ${siteName}`,
    noun: "meetings",
    days: announcedMeetingDays,
    page: meetingsPath + query,
    path: meetingFeedPath,
    query,
    events: meetings.filter((meeting) => !isOver(meeting, now)),
    knownSince: ({ meeting }) => meeting.firstSeenAt,
    toEntry(event, publishedAt) {
      const { isCanceled, changedAt, meeting } = event;
      const { path, title, dateLine, timeLine, location, moved, links } = toMeetingItem(
        event,
        timeZone,
      );
      const mark = isCanceled ? "Canceled: " : moved ? "Moved: " : "";
      return {
        id: origin + path,
        title: `${mark}${title}, ${dateLine}`,
        link: path,
        summary: [
          joinFacts(dateLine, timeLine, location),
          moved,
          ...links.map(({ label, url }) => `${label}: ${url}`),
        ]
          .filter(Boolean)
          .join(". "),
        category: meeting.body,
        updatedAt: changedAt !== null && changedAt > publishedAt ? changedAt : undefined,
      };
    },
  });
}

const joinFacts = (...facts: string[]) => facts.filter(Boolean).join(" · ");

const maxEntries = 100;

type Feed<Event extends CityEvent> = {
  title: string;
  noun: string;
  /** How many days before it begins an event is in the feed. */
  days: number;
  page: string;
  path: string;
  query: string;
  events: Event[];
  /** When it became known, which may be later than that. */
  knownSince(event: Event): Date | null;
  toEntry(event: Event, publishedAt: Date): Omit<FeedEntry, "publishedAt" | "authors">;
};

/**
 * Writes a feed, the latest announced first. It never contains samples, because feed readers keep
 * what a feed once contained.
 */
function writeFeed<Event extends CityEvent>(
  extension: FeedExtension,
  { now, origin }: { now: Date; origin: string },
  siteName: string,
  { noun, days, events, knownSince, toEntry, ...info }: Feed<Event>,
): Response {
  const announcedAt = (event: Event) => {
    const [early, known] = [daysBefore(event.startsAt, days), knownSince(event)];
    return known !== null && known > early ? known : early;
  };
  const entries = events
    .filter((event) => !event.isSample && announcedAt(event) <= now)
    .slice(0, maxEntries)
    .map((event) => {
      const publishedAt = announcedAt(event);
      const authors = [event.source?.name ?? siteName];
      return { ...toEntry(event, publishedAt), publishedAt, authors };
    })
    .sort((one, other) => other.publishedAt.getTime() - one.publishedAt.getTime());
  const description = `The ${noun} of the next ${days} days.`;
  return feedResponse(extension, { ...info, description, origin, now }, entries);
}
