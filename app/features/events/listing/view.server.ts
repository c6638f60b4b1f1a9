import { calendarDay, nextMidnight } from "../../../lib/dates.ts";
import { requireKnownAddress } from "../../../lib/links/known-address.server.ts";
import { slugOf } from "../../../lib/text/slug.ts";
import { brandFile } from "../../brand/files.server.ts";
import { type EmbedContent, playerAllow, playerSandbox } from "../../embeds/model.ts";
import { type Filter, filterValues, readFilter, titleElsewhere, unknownParams } from "../model.ts";
import type { CityEvent } from "./city-event.ts";
import { dateId, eventDetails, filterTitle, shortDay, statusOf } from "./describe.server.ts";
import { eventOrigins, eventsWithin, findEvent, type Origins } from "./gather.server.ts";
import {
  chosen,
  daysOn,
  feedDays,
  monthOf,
  nearestMonth,
  wallOf,
  windowOf,
} from "./select.server.ts";
import { type CalendarItem, writeCalendar } from "./write.server.ts";

/** What the events page shows for a query: the wall, or a month. */
export async function eventsView(origins: Origins, url: URL) {
  const { now, timeZone, texts } = origins;
  const filter = filterOf(origins, url.searchParams);
  requireKnownAddress(url, filterValues(filter));
  const window = windowOf(filter, now, timeZone);
  const events = await eventsWithin(origins, window);
  const { heading, intro, history, sources } = texts;
  const ownTitle = texts.outside ? null : filterTitle(filter, timeZone);
  const base = {
    filter,
    texts: { heading: (filter.day && ownTitle) ?? heading, intro, history },
    ownTitle,
    dayLabel: filter.day && shortDay(filter.day, timeZone),
    categories: categoryNames(origins),
    sources: sources.map(({ name, page }) => ({ name, url: page })),
    thisMonth: (filter.day ?? calendarDay(now, timeZone)).slice(0, 7),
  };
  // Readers look back at a day or a month too, so nothing in it is left out for being over.
  const whole = chosen(events, filter, new Date(0));
  if (filter.day) {
    const days = daysOn(whole, filter.day, filter.day, now, timeZone);
    const count = days.reduce((sum, { items }) => sum + items.length, 0);
    return { ...base, count, shown: { kind: "wall" as const, days, more: 0 } };
  }
  if (filter.month) {
    const month = monthOf(whole, filter.month, now, timeZone);
    return { ...base, count: whole.length, shown: { kind: "month" as const, month } };
  }
  const { count, ...wall } = wallOf(chosen(events, filter, now), window.from, now, timeZone);
  return { ...base, count, shown: { kind: "wall" as const, ...wall } };
}

/** The wall of another service, where the city has one; null where it is ours. */
export function outsideWall({ texts }: Origins, eager: boolean): EmbedContent | null {
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
export async function eventView(origins: Origins, id: string) {
  const found = await findEvent(origins, id);
  return found ? eventDetails(found.event, found.others, origins.now, origins) : null;
}

/**
 * The filter of a feed's address. A value that we do not know is an error, since a program would
 * not notice otherwise.
 */
function feedFilter(origins: Origins, url: URL): Filter {
  const given = readFilter(url.searchParams, categoryNames(origins));
  const filter = filterOf(origins, url.searchParams);
  const unknown = unknownParams(url.searchParams, given);
  if (given.day !== filter.day) unknown.push("day");
  else if (given.day === null && given.month !== filter.month) unknown.push("month");
  if (unknown.length > 0) throw refusal(unknown, categoryNames(origins));
  requireKnownAddress(url, filterValues(filter));
  return filter;
}

/** Everything to come that fits, for feeds. */
export async function feedEvents(origins: Origins, filter: Filter): Promise<CityEvent[]> {
  const window = windowOf(filter, origins.now, origins.timeZone, feedDays);
  return chosen(await eventsWithin(origins, window), filter, origins.now);
}

export async function calendarOfOne(
  origins: Origins,
  id: string,
  name: string,
): Promise<string | null> {
  const found = await findEvent(origins, id);
  return found ? calendarText(origins, [found.event], name) : null;
}

export function calendarText(origins: Origins, events: CityEvent[], name: string): string {
  const { timeZone, now } = origins;
  return writeCalendar(
    events.map((event) => calendarItem(event, origins)),
    { name, timeZone, now },
  );
}

/** Pages that say "today" are true until the city's midnight. */
type FeedServices = Parameters<typeof eventOrigins>[0] & { expireAt(at: Date): void };

/** What a feed shows for a query. It is kept until midnight, when the day's events are over. */
export async function eventFeed(services: FeedServices, url: URL) {
  const brand = services.site.read(brandFile);
  const origins = eventOrigins(services, brand);
  const filter = feedFilter(origins, url);
  const events = await feedEvents(origins, filter);
  services.expireAt(trueUntil(origins));
  return { origins, events, filter, siteName: brand.name };
}

export const trueUntil = ({ now, timeZone }: Origins) => nextMidnight(now, timeZone);

const categoryNames = ({ texts }: Origins) => texts.categories.map(({ name }) => name);

/**
 * A day is more exact than a month, and a month more than "this weekend": where a query has two,
 * the more exact one counts. A day outside the months that can be turned to shows the nearest of
 * those months.
 */
function filterOf(origins: Origins, query: URLSearchParams): Filter {
  const { now, timeZone } = origins;
  const filter = readFilter(query, categoryNames(origins));
  const asked = filter.day?.slice(0, 7) ?? filter.month;
  if (!asked) return filter;
  const month = nearestMonth(asked, now, timeZone);
  const isNear = filter.day !== null && month === asked;
  return { ...filter, when: null, month: isNear ? null : month, day: isNear ? filter.day : null };
}

/** A program that asks for what we do not have must not take all events for it. */
function refusal(unknown: string[], categories: string[]): Response {
  const known = categories.map(slugOf).join(", ");
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

function calendarItem(event: CityEvent, { origin, timeZone }: Origins): CalendarItem {
  const { id, text, location, category, startsAt, endsAt, allDay } = event;
  const url = `${origin}/events/${id}`;
  return {
    uid: `${dateId(event, timeZone)}@${new URL(origin).hostname}`,
    title: titleElsewhere(event),
    description: `${text}\n\n${url}`,
    status: statusOf(event),
    location,
    category,
    url,
    startsAt,
    endsAt,
    allDay,
  };
}
