import { daysBefore } from "../../lib/dates.ts";
import type { FeedExtension } from "../../lib/links/feed-formats.ts";
import { type FeedEntry, feedResponse } from "../../lib/links/feed-response.server.ts";
import { overAt, toMeetingItem } from "./listing/describe.server.ts";
import type { Meeting, MeetingLookup } from "./listing/gather.server.ts";
import type { loadMeetings } from "./listing/view.server.ts";
import { meetingFeedPath, meetingPath, meetingsPath, toBodyQuery } from "./model.ts";

const maxEntries = 100;
/** How many days before it begins a meeting is in the feed. */
const announcedDays = 14;

/**
 * A feed of the meetings of the next two weeks, the latest announced first. The entry of a meeting
 * that was moved or canceled is updated. The feed never contains samples, because feed readers keep
 * what a feed once contained.
 */
export function meetingFeed(
  extension: FeedExtension,
  { lookup, body, meetings }: Awaited<ReturnType<typeof loadMeetings>>,
  siteName: string,
): Response {
  const { now, origin, texts } = lookup;
  const entries = meetings
    .filter((meeting) => !meeting.isSample && overAt(meeting) > now && announcedAt(meeting) <= now)
    .slice(0, maxEntries)
    .map((meeting) => toEntry(meeting, lookup, siteName))
    .sort((one, other) => other.publishedAt.getTime() - one.publishedAt.getTime());
  const query = toBodyQuery(body?.slug ?? null);
  return feedResponse(
    extension,
    {
      title: `${body?.name ?? texts.heading} | ${siteName}`,
      description: `The meetings of the next ${announcedDays} days.`,
      origin,
      page: meetingsPath + query,
      path: meetingFeedPath,
      query,
      now,
    },
    entries,
  );
}

/** Two weeks before the meeting, or when we learned of it, if that was later. */
function announcedAt({ startsAt, firstSeenAt }: Meeting): Date {
  const early = daysBefore(startsAt, announcedDays);
  return firstSeenAt !== null && firstSeenAt > early ? firstSeenAt : early;
}

function toEntry(
  meeting: Meeting,
  { timeZone, origin }: MeetingLookup,
  siteName: string,
): FeedEntry {
  const { id, body, source, changedAt, isCanceled } = meeting;
  const { title, dateLine, timeLine, location, moved, links } = toMeetingItem(meeting, timeZone);
  const mark = isCanceled ? "Canceled: " : moved ? "Moved: " : "";
  const publishedAt = announcedAt(meeting);
  return {
    id: origin + meetingPath(id),
    title: `${mark}${title}, ${dateLine}`,
    link: meetingPath(id),
    summary: [
      [dateLine, timeLine, location].filter(Boolean).join(" · "),
      moved,
      ...links.map(({ label, url }) => `${label}: ${url}`),
    ]
      .filter(Boolean)
      .join(". "),
    category: body,
    publishedAt,
    updatedAt: changedAt !== null && changedAt > publishedAt ? changedAt : undefined,
    authors: [source?.name ?? siteName],
  };
}
