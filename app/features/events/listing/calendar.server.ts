import { calendarDay } from "../../../lib/dates.ts";
import { type CalendarItem, writeCalendar } from "../calendars/write-calendar.server.ts";
import { standaloneTitle } from "../model.ts";
import { type CityEvent, type CityInfo, eventPath } from "./city-event.ts";

type City = Pick<CityInfo, "origin" | "timeZone">;

/** A sample does not take place, so calendar programs must not show it as confirmed. */
export function eventStatus({ isCanceled, isSample }: CityEvent) {
  if (isCanceled) return "cancelled";
  return isSample ? "tentative" : "confirmed";
}

/** A page of ours may show many dates of a series, but calendar programs need an ID for each. */
export const dateId = ({ id, isSeries, startsAt }: CityEvent, timeZone: string) =>
  isSeries ? `${id}-${calendarDay(startsAt, timeZone)}` : id;

/**
 * Links that open the form of a web calendar with this event filled in. Nothing is sent to the
 * calendar until a reader follows a link.
 */
export function webCalendarLinks(event: CityEvent, { timeZone, origin }: City) {
  const { excerpt, location, startsAt, endsAt, allDay } = event;
  const title = standaloneTitle(event);
  const details = `${excerpt}\n\n${origin}${eventPath(event)}`;
  const toCompactTime = (instant: Date) =>
    allDay
      ? calendarDay(instant, timeZone).replaceAll("-", "")
      : instant.toISOString().replaceAll(/[-:]|\.\d+/g, "");
  const toIsoTime = (instant: Date) =>
    allDay ? calendarDay(instant, timeZone) : instant.toISOString();
  const makeLink = (label: string, baseUrl: string, query: Record<string, string>) => ({
    label,
    url: `${baseUrl}?${new URLSearchParams(query)}`,
  });
  return [
    makeLink("Google Calendar", "https://calendar.google.com/calendar/render", {
      action: "TEMPLATE",
      text: title,
      details,
      location,
      dates: `${toCompactTime(startsAt)}/${toCompactTime(endsAt)}`,
    }),
    makeLink("Outlook.com", "https://outlook.live.com/calendar/0/deeplink/compose", {
      path: "/calendar/action/compose",
      rru: "addevent",
      subject: title,
      body: details,
      location,
      startdt: toIsoTime(startsAt),
      enddt: toIsoTime(endsAt),
      allday: String(allDay),
    }),
    makeLink("Yahoo Calendar", "https://calendar.yahoo.com/", {
      v: "60",
      title,
      desc: details,
      in_loc: location,
      st: toCompactTime(startsAt),
      ...(allDay ? { dur: "allday" } : { et: toCompactTime(endsAt) }),
    }),
  ];
}

/** Writes events for calendar programs. */
export const toCalendarText = (
  { now, ...city }: City & { now: Date },
  events: CityEvent[],
  name: string,
): string =>
  writeCalendar(
    events.map((event) => toCalendarItem(event, city)),
    { name, timeZone: city.timeZone, now },
  );

/** A calendar program does not show our notice, so the entry itself says what it is. */
const sampleNote = "This is a sample event. It will not take place.";
const sampleCategory = "SAMPLE";

export function toCalendarItem(event: CityEvent, { origin, timeZone }: City): CalendarItem {
  const { text, location, category, startsAt, endsAt, allDay, isSample, agenda } = event;
  const url = origin + eventPath(event);
  return {
    uid: `${dateId(event, timeZone)}@${new URL(origin).hostname}`,
    title: standaloneTitle(event),
    description: joinNotes([isSample && sampleNote, text, agenda && `Agenda: ${agenda}`, url]),
    status: eventStatus(event),
    location,
    categories: isSample ? [category, sampleCategory] : [category],
    url,
    startsAt,
    endsAt,
    allDay,
  };
}

export const joinNotes = (notes: (string | null | undefined | false)[]): string =>
  notes.filter(Boolean).join("\n\n");
