import { calendarDay } from "../../../lib/dates.ts";
import { standaloneTitle } from "../model.ts";
import { type CityEvent, type CityInfo, eventPath } from "./city-event.ts";

/**
 * Links that open a form for this event, already filled in, in the common web calendars. Nothing is
 * sent until a reader follows one.
 */
export function webCalendarLinks(
  event: CityEvent,
  { timeZone, origin }: CityInfo,
): { label: string; url: string }[] {
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
