import {
  calendarDay,
  calendarYear,
  clockTime,
  formatByZone,
  localTimestamp,
} from "../../../lib/dates.ts";
import { toSlug } from "../../../lib/text/slug.ts";
import { truncateAtWord } from "../../../lib/text/truncate-at-word.ts";
import { type CalendarItem, writeCalendar } from "../calendars/write-calendar.server.ts";
import { joinNotes, toCalendarItem } from "../listing/calendar.server.ts";
import type { Meeting } from "../listing/city-event.ts";
import { toEventItem, toPageFacts } from "../listing/describe.server.ts";
import { standaloneTitle } from "../model.ts";
import type { MeetingLookup } from "./gather.server.ts";
import type { MeetingItem } from "./model.ts";

const formats = {
  day: formatByZone({ weekday: "long", month: "long", day: "numeric", year: "numeric" }),
  short: formatByZone({ weekday: "long", month: "long", day: "numeric" }),
};

/** The time as clocks show it, without the zeros of a full hour: 6 PM. */
export const shortTime = (instant: Date, timeZone: string): string =>
  clockTime(instant, timeZone).replace(":00", "");

/** The day of an instant, with the year if it is not that of `near`. */
export function showDay(instant: Date, near: Date, timeZone: string): string {
  const isSameYear = calendarYear(instant, timeZone) === calendarYear(near, timeZone);
  return (isSameYear ? formats.short : formats.day)(timeZone).format(instant);
}

export function toMeetingItem(event: Meeting, timeZone: string): MeetingItem {
  const { isCanceled, agenda, meeting } = event;
  const { id, path, title, dateLine, timeLine, location, isSample } = toEventItem(event, timeZone);
  return {
    id,
    path,
    title,
    body: toSlug(title).includes(toSlug(meeting.body)) ? null : meeting.body,
    dateLine,
    timeLine,
    location,
    isCanceled,
    moved: describeMove(event, timeZone),
    isSample,
    links: [
      { label: "Agenda", url: agenda },
      { label: "Minutes", url: meeting.minutes },
      { label: "Video", url: meeting.video },
    ].flatMap(({ label, url }) => (url === null ? [] : { label, url })),
  };
}

function describeMove(
  { startsAt, isCanceled, meeting: { movedFrom, movedFromRoom } }: Meeting,
  timeZone: string,
): string | null {
  if (isCanceled || (movedFrom === null && movedFromRoom === null)) return null;
  const isOtherDay =
    movedFrom !== null && calendarDay(movedFrom, timeZone) !== calendarDay(startsAt, timeZone);
  const parts = [
    isOtherDay && showDay(movedFrom, startsAt, timeZone),
    movedFrom && clockTime(movedFrom, timeZone),
    movedFromRoom,
  ].filter(Boolean);
  return `Moved from ${parts.join(", ")}`;
}

const maxExcerptLength = 200;

export function toMeetingDetails(event: Meeting, lookup: MeetingLookup) {
  const { timeZone } = lookup;
  const { text, allDay, meeting } = event;
  const { body, howToSpeak, movedFrom } = meeting;
  const { dateTile: _dateTile, image: _image, ...facts } = toPageFacts(event, lookup);
  const item = toMeetingItem(event, timeZone);
  const { dateLine, timeLine, location } = item;
  const summary = `${body}: ${dateLine}, ${timeLine}${location ? `, ${location}` : ""}.`;
  const toMachineTime = allDay ? calendarDay : localTimestamp;
  return {
    ...facts,
    ...item,
    bodyName: body,
    bodySlug: toSlug(body),
    excerpt: truncateAtWord(`${summary} ${text.replaceAll(/\s+/g, " ")}`.trim(), maxExcerptLength),
    howToSpeak,
    previousStart: movedFrom && toMachineTime(movedFrom, timeZone),
    // Whether this page says more than the list. Search engines may index only such pages.
    hasDetails: facts.html !== null || text !== "" || howToSpeak !== null || item.links.length > 0,
  };
}

export type MeetingDetails = ReturnType<typeof toMeetingDetails>;

/** When a calendar program reminds readers: a day and an hour before. */
const reminders = ["-P1D", "-PT1H"];

export const toMeetingCalendar = (lookup: MeetingLookup, meetings: Meeting[], name: string) =>
  writeCalendar(
    meetings.map((meeting) => toMeetingEntry(meeting, lookup)),
    { name, timeZone: lookup.timeZone, now: lookup.now },
  );

/** The calendars of meetings remind readers, and say more about a meeting than those of events do. */
function toMeetingEntry(event: Meeting, lookup: MeetingLookup): CalendarItem {
  const { allDay, text, isCanceled, isSample, meeting } = event;
  const { title, body, links, moved } = toMeetingItem(event, lookup.timeZone);
  const item = toCalendarItem(event, lookup);
  return {
    ...item,
    title: standaloneTitle({ title: body === null ? title : `${body}: ${title}`, isSample }),
    description: joinNotes([
      isSample && "This is a sample. The meeting will not take place.",
      moved && `${moved}.`,
      text,
      ...links.map((link) => `${link.label}: ${link.url}`),
      meeting.howToSpeak && `How to speak: ${meeting.howToSpeak.text}`,
      meeting.howToSpeak?.url,
      item.url,
    ]),
    reminders: isCanceled || allDay ? [] : reminders,
  };
}
