import { type CalendarItem, writeCalendar } from "../../calendars/write-calendar.server.ts";
import { meetingCategory, meetingPath } from "../model.ts";
import { toMeetingItem } from "./describe.server.ts";
import type { Meeting, MeetingLookup } from "./gather.server.ts";

/** When a calendar program reminds readers: a day and an hour before. */
const reminders = ["-P1D", "-PT1H"];

export const toMeetingCalendar = (
  lookup: MeetingLookup,
  meetings: Meeting[],
  name: string,
): string =>
  writeCalendar(
    meetings.map((meeting) => toCalendarItem(meeting, lookup)),
    { name, timeZone: lookup.timeZone, now: lookup.now },
  );

function toCalendarItem(meeting: Meeting, { origin, timeZone }: MeetingLookup): CalendarItem {
  const { id, startsAt, endsAt, allDay, location, text, howToSpeak, isCanceled, isSample } =
    meeting;
  const { title, body, links, moved } = toMeetingItem(meeting, timeZone);
  const url = origin + meetingPath(id);
  const fullTitle = body === null ? title : `${body}: ${title}`;
  return {
    uid: `${id}@${new URL(origin).hostname}`,
    title: isSample ? `Sample: ${fullTitle}` : fullTitle,
    description: [
      isSample && "This is a sample. The meeting will not take place.",
      moved && `${moved}.`,
      text,
      ...links.map((link) => `${link.label}: ${link.url}`),
      howToSpeak && `How to speak: ${howToSpeak.text}`,
      howToSpeak?.url,
      url,
    ]
      .filter(Boolean)
      .join("\n\n"),
    location,
    url,
    categories: isSample ? [meetingCategory, "SAMPLE"] : [meetingCategory],
    status: isCanceled ? "cancelled" : isSample ? "tentative" : "confirmed",
    startsAt,
    endsAt,
    allDay,
    reminders: isCanceled || allDay ? [] : reminders,
  };
}
