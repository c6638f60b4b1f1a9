import { calendarDay, nextMidnight } from "../../../lib/dates.ts";
import type { PageServices } from "../../../platform/services.ts";
import { siteSettingsFile } from "../../brand/files.server.ts";
import { type EventList, eventsPath, type Filter, noFilter, type WallItem } from "../model.ts";
import { type CityEvent, isMeeting } from "./city-event.ts";
import { isOver, overAt, toWallItem } from "./describe.server.ts";
import { nextDate } from "./file-events.server.ts";
import { createEventLookup, type EventLookup, eventsWithin, readRecords } from "./gather.server.ts";
import { filterWindow, isOnView, oncePerSeries, selectEvents } from "./select.server.ts";
import { findPlace, selectPlace } from "./select-place.server.ts";

export const todayFilter: Filter = { ...noFilter, when: "today" };

/**
 * Finds the next date of each event that has not begun. The page that shows them expires when the
 * first of them begins, and at midnight, when the dates of samples change.
 */
export async function findComingEvents(
  { site, db, clock, tags, expireAt }: PageServices,
  filter: Filter,
): Promise<CityEvent[]> {
  if (!site.hasPage(eventsPath)) return [];
  const lookup = createEventLookup({ site, db, clock, tags });
  const { now, timeZone } = lookup;
  expireAt(nextMidnight(now, timeZone));
  const events = await eventsWithin(lookup, filterWindow(filter, now, timeZone));
  const selected = selectPlace({ site }, selectEvents(events, filter, now), filter);
  // A sample of a meeting is only for pages of meetings and events: elsewhere it misleads.
  const isShown = (event: CityEvent) => !(isMeeting(event) && event.isSample);
  const isComing = (event: CityEvent) => event.startsAt > now && isShown(event);
  const coming = oncePerSeries(selected.filter(isComing));
  const [first] = coming;
  if (first) expireAt(first.startsAt);
  return coming;
}

const featuredCount = 2;
/** The front page shows later events only if there are too few within this time. */
const soonDays = 31;
const daysPerYear = 366;
const dayMs = 24 * 60 * 60_000;

/** The page with these events expires when one of them begins or, if it has begun, is over. */
export async function readHomeEvents(services: PageServices, ids: string[]) {
  const { site, expireAt } = services;
  if (!site.hasPage(eventsPath)) return [];
  const lookup = createEventLookup(services);
  const { now, timeZone } = lookup;
  expireAt(nextMidnight(now, timeZone));
  const window = filterWindow(noFilter, now, timeZone, daysPerYear);
  const events = selectEvents(await eventsWithin(lookup, window), noFilter, now);
  const samples = (await readRecords(lookup))
    .filter(({ front }) => front.sample)
    .flatMap((record) => nextDate(record, now, timeZone)?.event ?? []);
  const real = events.filter((event) => !isMeeting(event) && !event.isSample);
  const featured = pickHomeEvents([...real, ...samples], ids, now);
  for (const event of featured) expireAt(event.startsAt > now ? event.startsAt : overAt(event));
  return featured;
}

/**
 * Picks the events that the newsroom lists (`ids`), if they take place soon, then the next ones that
 * have not begun, then later ones. Samples only fill the places that others leave empty. So the
 * front page never announces an event that is over or out of season, even if nobody updates the list
 * for a year.
 */
export function pickHomeEvents(events: CityEvent[], ids: string[], now: Date): CityEvent[] {
  const soon = new Date(now.getTime() + soonDays * dayMs);
  const rank = ({ id, startsAt }: CityEvent) => {
    if (startsAt >= soon) return ids.length + 1;
    return ids.includes(id) ? ids.indexOf(id) : ids.length;
  };
  const realFirst = (one: CityEvent, other: CityEvent) =>
    Number(one.isSample) - Number(other.isSample);
  const byStart = (one: CityEvent, other: CityEvent) =>
    one.startsAt.getTime() - other.startsAt.getTime();
  const candidates = events
    .filter((event) => event.startsAt > now || (ids.includes(event.id) && !isOver(event, now)))
    .sort((one, other) => realFirst(one, other) || rank(one) - rank(other) || byStart(one, other));
  return oncePerSeries(candidates)
    .slice(0, featuredCount)
    .sort((one, other) => realFirst(one, other) || byStart(one, other));
}

/** The next events, for a page about something else. */
export async function readComingEvents(
  services: PageServices,
  filter: Filter,
  count: number,
  isWanted: (event: CityEvent) => boolean = () => true,
): Promise<WallItem[]> {
  const { timeZone } = services.site.read(siteSettingsFile);
  const events = await findComingEvents(services, filter);
  return events
    .filter(isWanted)
    .slice(0, count)
    .map((event) => toWallItem(event, timeZone));
}

const listCount = 2;
const listLength = 4;

/**
 * The lists at the end of an event's page: other events of its day, and the next ones in its
 * neighborhood. If one of these lists is empty, the next events of the city take its place.
 */
export async function readNextEvents(
  services: PageServices,
  lookup: EventLookup,
  event: CityEvent,
): Promise<EventList[]> {
  const { now, timeZone } = lookup;
  const shownSeries = new Set([event.series]);
  const toList = (label: string, filter: EventList["filter"], events: CityEvent[]) => {
    const others = oncePerSeries(events).filter(({ series }) => !shownSeries.has(series));
    const shown = others.slice(0, listLength);
    for (const { series } of shown) shownSeries.add(series);
    for (const each of shown) services.expireAt(overAt(each));
    return { label, filter, events: shown.map((each) => toWallItem(each, timeZone)) };
  };
  const lists: EventList[] = [];
  if (!isOver(event, now)) {
    services.expireAt(overAt(event));
    const firstDay = new Date(Math.max(event.startsAt.getTime(), now.getTime()));
    const filter = { ...noFilter, day: calendarDay(firstDay, timeZone) };
    const events = await eventsWithin(lookup, filterWindow(filter, now, timeZone));
    const ofDay = selectEvents(events, filter, now).filter((each) => !isOnView(each, firstDay));
    lists.push(toList("Also that day", filter, ofDay));
  }
  const place = findPlace(services, event);
  if (place) {
    const filter = { ...noFilter, place };
    lists.push(toList(`More in ${place.name}`, filter, await findComingEvents(services, filter)));
  }
  const isFilled = ({ events }: EventList) => events.length > 0;
  if (lists.filter(isFilled).length < listCount)
    lists.push(toList("Coming up", noFilter, await findComingEvents(services, noFilter)));
  return lists.filter(isFilled);
}
