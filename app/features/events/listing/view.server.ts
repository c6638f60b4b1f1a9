import { calendarDay, nextMidnight } from "../../../lib/dates.ts";
import { requireCanonicalUrl } from "../../../lib/links/canonical-url.server.ts";
import { toSlug } from "../../../lib/text/slug.ts";
import { brandFile } from "../../brand/files.server.ts";
import { type EmbedContent, playerAllow, playerSandbox } from "../../embeds/model.ts";
import { type Filter, filterValues, invalidParams, readFilter, standaloneTitle } from "../model.ts";
import type { CityEvent } from "./city-event.ts";
import { dateId, eventDetails, eventStatus, filterTitle, shortDay } from "./describe.server.ts";
import { type EventLookup, eventLookup, eventsWithin, findEvent } from "./gather.server.ts";
import {
  applyFilter,
  buildMonth,
  buildWall,
  feedDays,
  filterWindow,
  listDays,
  nearestMonth,
} from "./select.server.ts";
import { type CalendarItem, writeCalendar } from "./write-calendar.server.ts";

/** What the events page shows for a query: the wall, or a month. */
export async function eventsView(lookup: EventLookup, url: URL) {
  const { now, timeZone, texts } = lookup;
  const filter = resolveFilter(lookup, url.searchParams);
  requireCanonicalUrl(url, filterValues(filter));
  const window = filterWindow(filter, now, timeZone);
  const events = await eventsWithin(lookup, window);
  const { heading, intro, history, sources } = texts;
  const viewTitle = texts.outside ? null : filterTitle(filter, timeZone);
  const base = {
    filter,
    texts: { heading: (filter.day && viewTitle) ?? heading, intro, history },
    viewTitle,
    dayLabel: filter.day && shortDay(filter.day, timeZone),
    categories: categoryNames(lookup),
    sources: sources.map(({ name, page }) => ({ name, url: page })),
    thisMonth: (filter.day ?? calendarDay(now, timeZone)).slice(0, 7),
  };
  // Readers look back at a day or a month too, so nothing in it is left out for being over.
  const whole = applyFilter(events, filter, new Date(0));
  if (filter.day) {
    const days = listDays(whole, filter.day, filter.day, now, timeZone);
    const count = days.reduce((sum, { items }) => sum + items.length, 0);
    return { ...base, count, shown: { kind: "wall" as const, days, more: 0 } };
  }
  if (filter.month) {
    const month = buildMonth(whole, filter.month, now, timeZone);
    return { ...base, count: whole.length, shown: { kind: "month" as const, month } };
  }
  const { count, ...wall } = buildWall(
    applyFilter(events, filter, now),
    window.from,
    now,
    timeZone,
  );
  return { ...base, count, shown: { kind: "wall" as const, ...wall } };
}

/** The wall of another service, where the city has one; null where it is ours. */
export function externalWall({ texts }: EventLookup, eager: boolean): EmbedContent | null {
  if (!texts.outside) return null;
  const { service, url, poster } = texts.outside;
  return {
    service,
    poster,
    eager,
    src: url,
    title: "The events wall",
    thing: "the events wall",
    link: { label: `See it on ${service.name}`, url },
    sandbox: `${playerSandbox} allow-forms`,
    allow: playerAllow,
  };
}

/** The page of one event; null if there is none. */
export async function eventView(lookup: EventLookup, id: string) {
  const found = await findEvent(lookup, id);
  return found ? eventDetails(found.event, found.others, lookup.now, lookup) : null;
}

/**
 * The filter of a feed's address. A value that we do not know is an error, since a program would
 * not notice otherwise.
 */
function feedFilter(lookup: EventLookup, url: URL): Filter {
  const given = readFilter(url.searchParams, categoryNames(lookup));
  const filter = resolveFilter(lookup, url.searchParams);
  const unknown = invalidParams(url.searchParams, given);
  if (given.day !== filter.day) unknown.push("day");
  else if (given.day === null && given.month !== filter.month) unknown.push("month");
  if (unknown.length > 0) throw badRequest(unknown, categoryNames(lookup));
  requireCanonicalUrl(url, filterValues(filter));
  return filter;
}

/** Everything to come that fits, for feeds. */
export async function feedEvents(lookup: EventLookup, filter: Filter): Promise<CityEvent[]> {
  const window = filterWindow(filter, lookup.now, lookup.timeZone, feedDays);
  return applyFilter(await eventsWithin(lookup, window), filter, lookup.now);
}

export async function eventCalendar(
  lookup: EventLookup,
  id: string,
  name: string,
): Promise<string | null> {
  const found = await findEvent(lookup, id);
  return found ? calendarText(lookup, [found.event], name) : null;
}

export function calendarText(lookup: EventLookup, events: CityEvent[], name: string): string {
  const { timeZone, now } = lookup;
  return writeCalendar(
    events.map((event) => calendarItem(event, lookup)),
    { name, timeZone, now },
  );
}

/** Pages that say "today" are true until the city's midnight. */
type FeedServices = Parameters<typeof eventLookup>[0] & { expireAt(at: Date): void };

/** What a feed shows for a query. It is kept until midnight, when the day's events are over. */
export async function eventFeed(services: FeedServices, url: URL) {
  const brand = services.site.read(brandFile);
  const lookup = eventLookup(services, brand);
  const filter = feedFilter(lookup, url);
  const events = await feedEvents(lookup, filter);
  services.expireAt(validUntil(lookup));
  return { lookup, events, filter, siteName: brand.name };
}

export const validUntil = ({ now, timeZone }: EventLookup) => nextMidnight(now, timeZone);

const categoryNames = ({ texts }: EventLookup) => texts.categories.map(({ name }) => name);

/**
 * A day is more exact than a month, and a month more than "this weekend": where a query has two,
 * the more exact one counts. A day outside the months that can be turned to shows the nearest of
 * those months.
 */
function resolveFilter(lookup: EventLookup, query: URLSearchParams): Filter {
  const { now, timeZone } = lookup;
  const filter = readFilter(query, categoryNames(lookup));
  const asked = filter.day?.slice(0, 7) ?? filter.month;
  if (!asked) return filter;
  const month = nearestMonth(asked, now, timeZone);
  const isNear = filter.day !== null && month === asked;
  return { ...filter, when: null, month: isNear ? null : month, day: isNear ? filter.day : null };
}

/** A program that asks for what we do not have must not take all events for it. */
function badRequest(unknown: string[], categories: string[]): Response {
  const known = categories.map(toSlug).join(", ");
  const sentences = unknown.map((name) =>
    name === "category"
      ? `We have no such category. Please choose one of these: ${known}.`
      : `The value of "${name}" is not one that we know.`,
  );
  const headers = {
    "Content-Type": "text/plain; charset=utf-8",
    "Access-Control-Allow-Origin": "*",
  };
  return new Response(`${sentences.join("\n")}\n`, { status: 400, headers });
}

function calendarItem(event: CityEvent, { origin, timeZone }: EventLookup): CalendarItem {
  const { id, text, location, category, startsAt, endsAt, allDay } = event;
  const url = `${origin}/events/${id}`;
  return {
    uid: `${dateId(event, timeZone)}@${new URL(origin).hostname}`,
    title: standaloneTitle(event),
    description: `${text}\n\n${url}`,
    status: eventStatus(event),
    location,
    category,
    url,
    startsAt,
    endsAt,
    allDay,
  };
}
