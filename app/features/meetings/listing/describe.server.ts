import {
  calendarDay,
  calendarYear,
  clockTime,
  formatByZone,
  localTimestamp,
} from "../../../lib/dates.ts";
import { toSlug } from "../../../lib/text/slug.ts";
import { truncateAtWord } from "../../../lib/text/truncate-at-word.ts";
import { type CalendarItem, writeCalendar } from "../../calendars/write-calendar.server.ts";
import { type MeetingItem, meetingCategory, meetingPath, unknownTime } from "../model.ts";
import type { Meeting, MeetingLookup } from "./gather.server.ts";

/** How long a meeting whose end is not known is listed as coming. */
const assumedLengthMs = 2 * 60 * 60_000;

export const overAt = ({ startsAt, endsAt }: Pick<Meeting, "startsAt" | "endsAt">): Date =>
  endsAt > startsAt ? endsAt : new Date(startsAt.getTime() + assumedLengthMs);

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

export function toMeetingItem(meeting: Meeting, timeZone: string): MeetingItem {
  const { id, title, body, startsAt, endsAt, allDay, location, isCanceled, isSample } = meeting;
  const end = endsAt > startsAt ? ` – ${clockTime(endsAt, timeZone)}` : "";
  return {
    id,
    title,
    body: toSlug(title).includes(toSlug(body)) ? null : body,
    dateLine: formats.day(timeZone).format(startsAt),
    timeLine: allDay ? unknownTime : `${clockTime(startsAt, timeZone)}${end}`,
    location,
    isCanceled,
    moved: describeMove(meeting, timeZone),
    isSample,
    links: [
      { label: "Agenda", url: meeting.agenda },
      { label: "Minutes", url: meeting.minutes },
      { label: "Video", url: meeting.video },
    ].flatMap(({ label, url }) => (url === null ? [] : { label, url })),
  };
}

function describeMove(
  { startsAt, movedFrom, movedFromRoom, isCanceled }: Meeting,
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

export function toMeetingDetails(meeting: Meeting, lookup: MeetingLookup) {
  const { timeZone, city, now } = lookup;
  const { startsAt, endsAt, allDay, location, html, text, howToSpeak, source, body } = meeting;
  const item = toMeetingItem(meeting, timeZone);
  const toMachineTime = (instant: Date) =>
    allDay ? calendarDay(instant, timeZone) : localTimestamp(instant, timeZone);
  const mapQuery = location.toLowerCase().includes(city.toLowerCase())
    ? location
    : `${location}, ${city}`;
  const facts = `${body}: ${item.dateLine}, ${item.timeLine}${location ? `, ${location}` : ""}.`;
  return {
    ...item,
    bodyName: body,
    bodySlug: toSlug(body),
    excerpt: truncateAtWord(`${facts} ${text.replaceAll(/\s+/g, " ")}`.trim(), maxExcerptLength),
    html,
    text,
    howToSpeak,
    isPast: overAt(meeting) <= now,
    // In ISO 8601: the city's time with its offset from UTC or, if the time is unknown, only the
    // date.
    startsAt: toMachineTime(startsAt),
    endsAt: toMachineTime(allDay ? startsAt : endsAt),
    previousStart: meeting.movedFrom && toMachineTime(meeting.movedFrom),
    mapUrl: `https://www.openstreetmap.org/search?${new URLSearchParams({ query: mapQuery })}`,
    link: meeting.link,
    source,
    // Whether this page says more than the list. Search engines may index only such pages.
    hasDetails: html !== null || text !== "" || howToSpeak !== null || item.links.length > 0,
  };
}

export type MeetingDetails = ReturnType<typeof toMeetingDetails>;

/** When a calendar program reminds readers: a day and an hour before. */
const reminders = ["-P1D", "-PT1H"];

export const toMeetingCalendar = (lookup: MeetingLookup, meetings: Meeting[], name: string) =>
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
