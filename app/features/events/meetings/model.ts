import { toQueryString } from "../../../lib/links/query.ts";
import type { EventItem } from "../model.ts";

export const meetingsPath = "/meetings";
export const meetingsCalendarPath = "/meetings.ics";
/** The path of the feeds, without their extension. */
export const meetingFeedPath = "/feeds/meetings";
/** How many days before it begins a meeting is in the feed. */
export const announcedMeetingDays = 14;
/** What meetings are called among the categories of events. */
export const meetingCategory = "Public meetings";

/** What is shown in place of the time of a meeting if only its date is known. */
export const unknownTime = "Time to be announced";

export const meetingPath = (id: string) => `${meetingsPath}/${id}`;
export const toBodyQuery = (slug: string | null) => toQueryString({ body: slug });

export type MeetingLink = { label: string; url: string };

/** A meeting in a list. */
export type MeetingItem = Pick<
  EventItem,
  "id" | "path" | "title" | "dateLine" | "timeLine" | "location" | "isSample"
> & {
  /** The body, if the title does not say it. The title is the body or, of a hearing, its subject. */
  body: string | null;
  isCanceled: boolean;
  /** Where or when the meeting was first planned, such as "Moved from December 1, 6:00 PM". */
  moved: string | null;
  links: MeetingLink[];
};

export type HowToSpeak = { text: string; url: string | null };
