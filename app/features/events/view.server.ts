import { calendarDay, nextMidnight } from "../../lib/dates.ts";
import { type CalendarItem, writeCalendar } from "../calendars/write.server.ts";
import { type EmbedContent, playerAllow, playerSandbox } from "../embeds/model.ts";
import { type CityEvent, dateId, eventDetails, statusOf } from "./describe.server.ts";
import { eventsWithin, findEvent, type Origins } from "./gather.server.ts";
import { type Filter, readFilter, titleElsewhere } from "./model.ts";
import { chosen, feedDays, monthOf, nearestMonth, wallOf, windowOf } from "./select.server.ts";

/** What the events page shows for a query: the wall, or a month. */
export async function eventsView(origins: Origins, query: URLSearchParams) {
  const { now, timeZone, texts } = origins;
  const filter = filterOf(origins, query);
  const window = windowOf(filter, now, timeZone);
  const events = await eventsWithin(origins, window);
  const { heading, intro, history, sources } = texts;
  const base = {
    filter,
    texts: { heading, intro, history },
    categories: categoryNames(origins),
    sources: sources.map(({ name, page }) => ({ name, url: page })),
    thisMonth: calendarDay(now, timeZone).slice(0, 7),
  };
  if (filter.month === null) {
    const { count, ...wall } = wallOf(chosen(events, filter, now), window.from, now, timeZone);
    return { ...base, count, shown: { kind: "wall" as const, ...wall } };
  }
  // A month is looked back at too, so nothing in it is over.
  const whole = chosen(events, filter, new Date(0));
  const month = monthOf(whole, filter.month, now, timeZone);
  return { ...base, count: whole.length, shown: { kind: "month" as const, month } };
}

/** The wall of another service, where the city has one; null where it is ours. */
export function outsideWall({ texts }: Origins, eager: boolean): EmbedContent | null {
  if (!texts.outside) return null;
  const { service, url, poster } = texts.outside;
  return {
    ...{ service, poster, eager, src: url, title: "The events wall", thing: "the events wall" },
    link: { label: `See it on ${service.name}`, url },
    ...{ sandbox: `${playerSandbox} allow-forms`, allow: playerAllow },
  };
}

/** The page of one event; null if there is none. */
export async function eventView(origins: Origins, id: string) {
  const found = await findEvent(origins, id);
  return found ? eventDetails(found.event, found.others, origins.now, origins) : null;
}

/** The events of a query, for feeds: everything to come that fits. */
export async function feedEvents(
  origins: Origins,
  query: URLSearchParams,
): Promise<{ filter: Filter; events: CityEvent[] }> {
  const filter = filterOf(origins, query);
  const window = windowOf(filter, origins.now, origins.timeZone, feedDays);
  return { filter, events: chosen(await eventsWithin(origins, window), filter, origins.now) };
}

export async function calendarOfOne(origins: Origins, id: string, name: string): Promise<string | null> {
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
export const trueUntil = ({ now, timeZone }: Origins) => nextMidnight(now, timeZone);

const categoryNames = ({ texts }: Origins) => texts.categories.map(({ name }) => name);

function filterOf(origins: Origins, query: URLSearchParams): Filter {
  const filter = readFilter(query, categoryNames(origins));
  const month = filter.month && nearestMonth(filter.month, origins.now, origins.timeZone);
  return { ...filter, month };
}

function calendarItem(event: CityEvent, { origin, timeZone }: Origins): CalendarItem {
  const { id, text, location, category, startsAt, endsAt, allDay } = event;
  const url = `${origin}/events/${id}`;
  return {
    uid: `${dateId(event, timeZone)}@${new URL(origin).hostname}`,
    title: titleElsewhere(event),
    description: `${text}\n\n${url}`,
    status: statusOf(event),
    ...{ location, category, url, startsAt, endsAt, allDay },
  };
}
