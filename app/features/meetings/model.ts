import { toQueryString } from "../../lib/links/query.ts";

export const meetingsPath = "/meetings";
export const meetingsCalendarPath = "/meetings.ics";
/** The path of the feeds, without their extension. */
export const meetingFeedPath = "/feeds/meetings";
/** What meetings are called among the categories of events. */
export const meetingCategory = "Public meetings";

/** What is shown in place of the time of a meeting if only its date is known. */
export const unknownTime = "Time to be announced";

export const meetingPath = (id: string) => `${meetingsPath}/${id}`;
export const toBodyQuery = (slug: string | null) => toQueryString({ body: slug });

export type MeetingLink = { label: string; url: string };

/** A meeting in a list. The server formats the dates and times. */
export type MeetingItem = {
  id: string;
  /** The body or, if the meeting has one, its own title. */
  title: string;
  /** The body, if the title does not say it. */
  body: string | null;
  dateLine: string;
  timeLine: string;
  location: string;
  isCanceled: boolean;
  /** Where or when the meeting was first planned, such as "Moved from December 1, 6:00 PM". */
  moved: string | null;
  isSample: boolean;
  links: MeetingLink[];
};

export type HowToSpeak = { text: string; url: string | null };

export const toSavedMeeting = ({ id, title, dateLine, timeLine }: MeetingItem) => ({
  url: meetingPath(id),
  title,
  kind: "event" as const,
  when: `${dateLine}, ${timeLine}`,
});
