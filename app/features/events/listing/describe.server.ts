import { calendarDay, formatByZone, instantAt, localTimestamp } from "../../../lib/dates.ts";
import { describeRepeats } from "../calendars/recurrence/describe-repeats.ts";
import { type DateTile, type EventItem, type Filter, type WallItem, whenLabels } from "../model.ts";
import { webCalendarLinks } from "./calendar.server.ts";
import { type CityEvent, type CityInfo, eventPath } from "./city-event.ts";

const days = { month: "long", day: "numeric", year: "numeric" } as const;
const formats = {
  day: formatByZone({ weekday: "long", ...days }),
  days: formatByZone(days),
  hour: formatByZone({ hour: "numeric", minute: "2-digit" }),
  tile: formatByZone({ weekday: "short", month: "short", day: "numeric" }),
  short: formatByZone({ weekday: "short", month: "long", day: "numeric" }),
  heading: formatByZone({ weekday: "long", month: "long", day: "numeric" }),
  month: formatByZone({ month: "long", year: "numeric" }),
};

const hourMs = 60 * 60_000;
const dayMs = 24 * hourMs;

/** An event whose end is unknown counts as over an hour after its start, and a meeting after two. */
export const overAt = ({ startsAt, endsAt, meeting }: CityEvent) =>
  endsAt > startsAt ? endsAt : new Date(startsAt.getTime() + (meeting ? 2 : 1) * hourMs);
export const isOver = (event: CityEvent, now: Date) => overAt(event) <= now;

/** To format dates takes long, and many pages show the same events. */
const itemsByEvent = new WeakMap<CityEvent, { timeZone: string; item: EventItem }>();

export function toEventItem(event: CityEvent, timeZone: string): EventItem {
  const known = itemsByEvent.get(event);
  if (known?.timeZone === timeZone) return known.item;
  const { id, title, excerpt, location, image, isSample } = event;
  const times = describeTime(event, timeZone);
  const item = { id, path: eventPath(event), title, excerpt, location, image, isSample, ...times };
  itemsByEvent.set(event, { timeZone, item });
  return item;
}

export function describeSeries(dates: CityEvent[], timeZone: string): string | null {
  if (dates.length < 2) return null;
  const days = dates.map(({ startsAt }) => calendarDay(startsAt, timeZone)).sort();
  return describeRepeats(days) ?? "Repeats";
}

const priceText = ({ free, price, meeting }: CityEvent) => (free && !meeting ? "Free" : price);

export function toWallItem(event: CityEvent, timeZone: string): WallItem {
  const { category, repeats } = event;
  const { excerpt: _unused, timeLine, ...item } = toEventItem(event, timeZone);
  const last = event.allDay ? lastInstant(event) : event.endsAt;
  const isLong = last.getTime() - event.startsAt.getTime() > dayMs;
  // The wall lists an event of several days only once.
  const until = isLong ? `, until ${formats.short(timeZone).format(last)}` : "";
  // A line does not end between the hour and AM or PM.
  const times = `${timeLine}${until}`.replaceAll(/ (?=[AP]M)/g, "\u00a0");
  return { ...item, timeLine: times, category, price: priceText(event), repeats };
}

/** What the pages of events and of meetings say about one. */
export function toPageFacts(event: CityEvent, { now, timeZone, city }: CityInfo & { now: Date }) {
  const { free, html, source, link, startsAt, endsAt, allDay, location, isCanceled } = event;
  const toMachineTime = (instant: Date) =>
    allDay ? calendarDay(instant, timeZone) : localTimestamp(instant, timeZone);
  const mapQuery = location.toLowerCase().includes(city.toLowerCase())
    ? location
    : `${location}, ${city}`;
  return {
    ...toEventItem(event, timeZone),
    free,
    price: priceText(event),
    html,
    // Our own files have HTML, other events plain text.
    text: html === null ? event.text : "",
    source,
    link,
    isCanceled,
    isPast: isOver(event, now),
    // In ISO 8601: the city's time with its offset from UTC or, for an all-day event, only the
    // date.
    startsAt: toMachineTime(startsAt),
    endsAt: toMachineTime(allDay ? lastInstant(event) : endsAt),
    mapUrl: `https://www.openstreetmap.org/search?${new URLSearchParams({ query: mapQuery })}`,
  };
}

export function toEventDetails(
  event: CityEvent,
  others: CityEvent[],
  lookup: CityInfo & { now: Date },
) {
  const { timeZone } = lookup;
  return {
    ...toPageFacts(event, lookup),
    category: event.category,
    agenda: event.agenda,
    repeats:
      event.textOverrides.date === null ? describeSeries([event, ...others], timeZone) : null,
    day: event.day,
    moreDates: others.map((other) => ({
      path: eventPath(other),
      label: shortDate(other, timeZone),
    })),
    calendars: webCalendarLinks(event, lookup),
  };
}

export type EventDetails = ReturnType<typeof toEventDetails>;

/** An all-day event ends at midnight, which already belongs to the next day. */
const lastInstant = ({ startsAt, endsAt }: CityEvent) =>
  new Date(Math.max(startsAt.getTime(), endsAt.getTime() - 1));

function describeTime(event: CityEvent, timeZone: string) {
  const { startsAt, endsAt, allDay, textOverrides } = event;
  const lastInstantShown = allDay ? lastInstant(event) : endsAt;
  // A meeting that lasts past midnight is one of the day before.
  const isOneDay =
    event.meeting !== null ||
    calendarDay(startsAt, timeZone) === calendarDay(lastInstantShown, timeZone);
  return {
    dateLine:
      textOverrides.date ??
      (isOneDay
        ? formats.day(timeZone).format(startsAt)
        : formats.days(timeZone).formatRange(startsAt, lastInstantShown)),
    timeLine: textOverrides.time ?? timeRange(event, formats.hour(timeZone)),
    dateTile: toDateTile(startsAt, timeZone),
  };
}

/** Returns the start and end times, even if the event ends on a later day. */
function timeRange({ startsAt, endsAt, allDay }: CityEvent, hour: Intl.DateTimeFormat): string {
  if (allDay) return "All day";
  return endsAt > startsAt
    ? `${hour.format(startsAt)} – ${hour.format(endsAt)}`
    : hour.format(startsAt);
}

function toDateTile(instant: Date, timeZone: string): DateTile {
  const parts = formats.tile(timeZone).formatToParts(instant);
  const part = (type: string) => parts.find((each) => each.type === type)?.value ?? "";
  return { weekday: part("weekday"), month: part("month"), day: part("day") };
}

const shortDate = ({ startsAt, allDay }: CityEvent, timeZone: string) => {
  const day = formats.short(timeZone).format(startsAt);
  return allDay ? day : `${day}, ${formats.hour(timeZone).format(startsAt)}`;
};

export const dayHeading = (instant: Date, timeZone: string) =>
  formats.heading(timeZone).format(instant);
export const monthHeading = (instant: Date, timeZone: string) =>
  formats.month(timeZone).format(instant);

/** A date as the filters show it, such as "Fri, November 20". */
export const shortDay = (day: string, timeZone: string) =>
  formats.short(timeZone).format(instantAt(day, "12:00", timeZone));

/** Returns a title such as "Free events in Hampden this weekend: Music". Null without a filter. */
export function filterTitle({ place, when, free, category, month, day }: Filter, timeZone: string) {
  const noon = (date: string) => instantAt(date, "12:00", timeZone);
  const timePhrase = day
    ? `on ${formats.day(timeZone).format(noon(day))}`
    : month
      ? `in ${monthHeading(noon(`${month}-01`), timeZone)}`
      : when && whenLabels[when].toLowerCase();
  if (!timePhrase && !free && !category && !place) return null;
  const events = [free ? "Free events" : "Events", place && `in ${place.name}`, timePhrase]
    .filter(Boolean)
    .join(" ");
  return category ? `${events}: ${category}` : events;
}
