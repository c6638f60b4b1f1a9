import { addDays, calendarDay, instantAt } from "../../../lib/dates.ts";
import type { Window } from "../calendars/recurrence/expand-rule.server.ts";
import { type Filter, noFilter, type WallDay, wallMonths } from "../model.ts";
import type { CityEvent } from "./city-event.ts";
import { dayHeading, isOver, monthHeading, toWallItem } from "./describe.server.ts";

const wallDays = wallMonths * 31;
/** How many days ahead `/events.json`, the calendar subscription and the widget go. */
export const upcomingDays = 180;
const maxOnWall = 80;
/** Search and search engines find events that ended at most this many days ago. */
const findableDaysBack = 30;
/** Search and search engines find events up to a year ahead. */
const findableDaysAhead = 366;

/** The days that a filter selects, from midnight to midnight in the city's time zone. */
export function filterWindow(filter: Filter, now: Date, timeZone: string, days = wallDays): Window {
  const { when, month, day } = filter;
  const today = calendarDay(now, timeZone);
  const [first, last] = day ? [day, day] : month ? monthDays(month) : whenDays(when, today, days);
  return {
    from: instantAt(first, "00:00", timeZone),
    until: instantAt(addDays(last, 1), "00:00", timeZone),
  };
}

/** An event that lasts longer, such as an exhibition, belongs to no single day. A festival does. */
const maxFestivalMs = 8 * 24 * 60 * 60_000;

const runsForWeeks = ({ startsAt, endsAt }: CityEvent) =>
  endsAt.getTime() - startsAt.getTime() > maxFestivalMs;

/** Whether an event runs for weeks and has begun. Its first day is an event of that day. */
export const isOnView = (event: CityEvent, at: Date): boolean =>
  runsForWeeks(event) && event.startsAt < at;

/** Only the first of the given dates of each series. */
export function oncePerSeries(events: CityEvent[]): CityEvent[] {
  const seen = new Set<string>();
  return events.filter(({ series }) => !seen.has(series) && seen.add(series));
}

export function findableWindow({ now, timeZone }: { now: Date; timeZone: string }): Window {
  const today = calendarDay(now, timeZone);
  const midnightIn = (days: number) => instantAt(addDays(today, days), "00:00", timeZone);
  return { from: midnightIn(-findableDaysBack), until: midnightIn(findableDaysAhead) };
}

function whenDays(
  when: Filter["when"],
  today: string,
  days: number,
): [first: string, last: string] {
  switch (when) {
    case null:
      return [today, addDays(today, days)];
    case "today":
      return [today, today];
    case "weekend": {
      // On a Saturday or a Sunday, "this weekend" is the rest of the current one.
      const weekday = new Date(today).getUTCDay();
      return weekday === 0
        ? [today, today]
        : [addDays(today, 6 - weekday), addDays(today, 7 - weekday)];
    }
    case "month":
      return [today, monthDays(today.slice(0, 7))[1]];
  }
}

function monthDays(month: string): [first: string, last: string] {
  const first = `${month}-01`;
  const next = addDays(first, 31).slice(0, 7);
  return [first, addDays(`${next}-01`, -1)];
}

/**
 * An event that ended before the window is not in it. An event that began on the evening before and
 * goes on past midnight is in the window only while it is taking place.
 */
export function isWithin(event: CityEvent, { from, until }: Window, now: Date): boolean {
  const { startsAt, endsAt } = event;
  if (startsAt >= from) return startsAt < until;
  const isStillOn = startsAt <= now && now < endsAt;
  return endsAt > from && (isStillOn || !isOneEvening(event));
}

const maxEveningMs = 12 * 60 * 60_000;

/** Whether an event belongs to one day only, even if it goes on past midnight. */
const isOneEvening = ({ startsAt, endsAt, allDay }: CityEvent) =>
  !allDay && endsAt.getTime() - startsAt.getTime() <= maxEveningMs;

/** Leaves out events that are canceled or were over at `endedBefore`. They still have a page. */
export function selectEvents(
  events: CityEvent[],
  { free, category }: Pick<Filter, "free" | "category">,
  endedBefore: Date,
) {
  return events.filter(
    (event) =>
      !event.isCanceled &&
      !isOver(event, endedBefore) &&
      (!free || event.free) &&
      (category === null || event.category === category),
  );
}

/** Counts events by category, each series once. Categories without events are left out. */
export function countCategories(names: string[], events: CityEvent[], { category }: Filter) {
  const counts = Map.groupBy(oncePerSeries(events), (event) => event.category);
  return names
    .map((name) => ({ name, count: counts.get(name)?.length ?? 0 }))
    .filter(({ name, count }) => count > 0 || name === category);
}

/** Builds the events wall: the events by day, with only the next date of each series. */
export function buildWall(events: CityEvent[], from: Date, now: Date, timeZone: string) {
  const nextDates = oncePerSeries(events);
  const shown = nextDates.slice(0, maxOnWall).map((event) => ({
    event,
    // An event that began earlier is listed under today, or under the first day of the filter.
    at: new Date(Math.max(event.startsAt.getTime(), now.getTime(), from.getTime())),
  }));
  const dated = shown.map(({ event, at }) => ({ event, day: calendarDay(at, timeZone) }));
  return {
    days: toWallDays(dated, now, timeZone),
    count: nextDates.length,
    moreCount: nextDates.length - shown.length,
  };
}

const eveningTime = "17:00";
const maxTonight = 3;
export const maxSoon = 7;

/** Selects the events of this evening and of the weekend, and the next others, each series once. */
export function selectSoon(upcoming: CityEvent[], now: Date, timeZone: string) {
  const today = calendarDay(now, timeZone);
  const evening = {
    from: instantAt(today, eveningTime, timeZone),
    until: instantAt(addDays(today, 1), "00:00", timeZone),
  };
  const weekend = filterWindow({ ...noFilter, when: "weekend" }, now, timeZone);
  const events = oncePerSeries(upcoming);
  const tonight = events
    .filter((event) => event.startsAt >= evening.from && event.startsAt < evening.until)
    .slice(0, maxTonight);
  const room = maxSoon - tonight.length;
  const others = events.filter((event) => !tonight.includes(event));
  const onWeekend = others.filter((event) => isWithin(event, weekend, now)).slice(0, room);
  const next = others.filter((event) => !isWithin(event, weekend, now));
  const toItems = (list: CityEvent[]) => list.map((event) => toWallItem(event, timeZone));
  return {
    tonight: toItems(tonight),
    weekend: toItems(onWeekend),
    next: toItems(next.slice(0, room - onWeekend.length)),
  };
}

export type SoonEvents = ReturnType<typeof selectSoon>;

function relativeDayHeading(day: string, today: string, timeZone: string): string {
  const heading = dayHeading(instantAt(day, "12:00", timeZone), timeZone);
  if (day === today) return `Today, ${heading}`;
  return day === addDays(today, 1) ? `Tomorrow, ${heading}` : heading;
}

/** Pages need no older events than those that are in memory: see current.server.ts. */
const monthsBack = 1;
const monthsAhead = 12;

/** Returns the month itself or, if it is too far away, the nearest month of the month view. */
export function nearestMonth(month: string, now: Date, timeZone: string): string {
  const current = calendarDay(now, timeZone).slice(0, 7);
  const [first, last] = [addMonths(current, -monthsBack), addMonths(current, monthsAhead)];
  return month < first ? first : month > last ? last : month;
}

/** Builds a month with every date of its events, past dates included. */
export function buildMonth(events: CityEvent[], month: string, now: Date, timeZone: string) {
  const [first, last] = monthDays(month);
  const today = calendarDay(now, timeZone);
  const listedDays = listDays(events, first, last, now, timeZone);
  const byDay = new Map(listedDays.map(({ day, items }) => [day, items]));
  const numbers = Array.from({ length: Number(last.slice(8)) }, (_, index) => index + 1);
  const days = numbers.map((number) => {
    const day = addDays(first, number - 1);
    const onDay = byDay.get(day) ?? [];
    return {
      day,
      heading: dayHeading(instantAt(day, "12:00", timeZone), timeZone),
      dayOfMonth: number,
      isToday: day === today,
      events: onDay.map(({ path, title }) => ({ path, title })),
    };
  });
  const emptyCellCount = new Date(first).getUTCDay();
  const cells = [...Array.from({ length: emptyCellCount }, () => null), ...days];
  while (cells.length % 7 !== 0) cells.push(null);
  const monthAway = (by: number) => {
    const other = addMonths(month, by);
    return nearestMonth(other, now, timeZone) === other ? other : null;
  };
  return {
    heading: monthHeading(instantAt(first, "12:00", timeZone), timeZone),
    // From Sunday to Saturday. Days of other months are null.
    weeks: Array.from({ length: cells.length / 7 }, (_, week) =>
      cells.slice(week * 7, week * 7 + 7),
    ),
    days: listedDays,
    previous: monthAway(-1),
    next: monthAway(1),
  };
}

export type Month = ReturnType<typeof buildMonth>;

/** Lists the days with events from the first to the last day, past events included. */
export function listDays(
  events: CityEvent[],
  first: string,
  last: string,
  now: Date,
  timeZone: string,
): WallDay[] {
  const dated = events.flatMap((event) => daysWithin(event, first, last, timeZone));
  return toWallDays(dated, now, timeZone);
}

function toWallDays(dated: { day: string; event: CityEvent }[], now: Date, timeZone: string) {
  const today = calendarDay(now, timeZone);
  return [...Map.groupBy(dated, ({ day }) => day)]
    .sort(([one], [other]) => one.localeCompare(other))
    .map(([day, items]) => ({
      day,
      heading: relativeDayHeading(day, today, timeZone),
      items: items.map(({ event }) => toWallItem(event, timeZone)),
    }));
}

/** Lists an event of several days once for each day, but an exhibition only on its first one. */
function daysWithin(event: CityEvent, first: string, last: string, timeZone: string) {
  const end = new Date(Math.max(event.startsAt.getTime(), event.endsAt.getTime() - 1));
  const lastDay = calendarDay(end, timeZone);
  const days: { day: string; event: CityEvent }[] = [];
  const start = calendarDay(event.startsAt, timeZone);
  for (
    let day = start < first ? first : start;
    day <= last && day <= (isOneEvening(event) || runsForWeeks(event) ? start : lastDay);
    day = addDays(day, 1)
  )
    days.push({ day, event });
  return days;
}

function addMonths(month: string, by: number): string {
  const date = new Date(`${month}-01T00:00:00Z`);
  date.setUTCMonth(date.getUTCMonth() + by);
  return date.toISOString().slice(0, 7);
}
