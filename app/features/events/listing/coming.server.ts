import { nextMidnight } from "../../../lib/dates.ts";
import type { PageServices } from "../../../platform/services.ts";
import { siteSettingsFile } from "../../brand/files.server.ts";
import { eventsPath, type Filter, noFilter, type WallItem } from "../model.ts";
import type { CityEvent } from "./city-event.ts";
import { overAt, toWallItem } from "./describe.server.ts";
import { featuredEvents } from "./file-events.server.ts";
import { createEventLookup, eventsWithin, readRecords } from "./gather.server.ts";
import { filterWindow, oncePerSeries, selectComing } from "./select.server.ts";
import { selectPlace } from "./select-place.server.ts";

export const todayFilter: Filter = { ...noFilter, when: "today" };

/**
 * The next date of each event that has not begun. The page expires when the first of them begins,
 * and at midnight, when the dates of samples change. A city without events has none.
 */
export async function findComingEvents(
  { site, db, clock, tags, expireAt }: PageServices,
  filter: Filter,
): Promise<CityEvent[]> {
  if (!site.has(eventsPath)) return [];
  const lookup = createEventLookup({ site, db, clock, tags });
  const { now, timeZone } = lookup;
  expireAt(nextMidnight(now, timeZone));
  const events = await eventsWithin(lookup, filterWindow(filter, now, timeZone));
  const selected = selectPlace({ site }, selectComing(events, filter, now), filter);
  // A sample of a meeting is only for pages of meetings and events: elsewhere it misleads.
  const isShown = ({ isMeeting, isSample }: CityEvent) => !(isMeeting && isSample);
  const isComing = (event: CityEvent) => event.startsAt > now && isShown(event);
  const coming = oncePerSeries(selected.filter(isComing));
  const [first] = coming;
  if (first) expireAt(first.startsAt);
  return coming;
}

export async function readFeaturedEvents(
  services: PageServices,
  ids: string[],
): Promise<CityEvent[]> {
  const { site, expireAt } = services;
  if (!site.has(eventsPath)) return [];
  const lookup = createEventLookup(services);
  const { now, timeZone } = lookup;
  const coming = (await findComingEvents(services, noFilter)).filter((event) => !event.isMeeting);
  const events = featuredEvents(await readRecords(lookup), ids, now, timeZone, coming);
  expireAt(nextMidnight(now, timeZone));
  for (const event of events) expireAt(overAt(event));
  return events;
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
