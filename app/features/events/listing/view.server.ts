import { calendarDay, nextMidnight } from "../../../lib/dates.ts";
import { crossOriginHeaders } from "../../../lib/http/cross-origin.server.ts";
import { requireCanonicalUrl } from "../../../lib/links/canonical-url.server.ts";
import type { PageServices, Services } from "../../../platform/services.ts";
import { siteSettingsFile } from "../../brand/files.server.ts";
import { type EmbedContent, playerAllow, playerSandbox } from "../../embeds/model.ts";
import type { Place } from "../../places/model.ts";
import { listPlaces, requireKnownPlace } from "../../places/requested.server.ts";
import type { EventsTexts } from "../files.server.ts";
import { meetingCategory } from "../meetings/model.ts";
import {
  eventsPath,
  type Filter,
  filterHref,
  filterParamNames,
  noFilter,
  readFilter,
  toFilterParams,
  toFollowedFilter,
} from "../model.ts";
import { toCalendarText } from "./calendar.server.ts";
import { filterTitle, overAt, shortDay, toEventDetails, toWallItem } from "./describe.server.ts";
import { createEventLookup, type EventLookup, eventsWithin, findEvent } from "./gather.server.ts";
import {
  buildMonth,
  buildWall,
  countCategories,
  filterWindow,
  isOnView,
  listDays,
  maxSoon,
  nearestMonth,
  selectEvents,
  selectSoon,
  upcomingDays,
} from "./select.server.ts";
import { countPlaces, selectPlace } from "./select-place.server.ts";

const maxOnView = 12;

export async function loadEventsView(
  lookup: EventLookup,
  url: URL,
  services: Pick<PageServices, "site" | "expireAt">,
) {
  const { now, timeZone, texts } = lookup;
  requireKnownPlace(services, url.searchParams);
  const choices = readChoices(lookup, services);
  const filter = resolveFilter(lookup, url.searchParams, choices);
  requireCanonicalUrl(url, toFilterParams(filter));
  services.expireAt(validUntil(lookup));
  const window = filterWindow(filter, now, timeZone);
  const everywhere = await eventsWithin(lookup, window);
  // Readers also look at past days and months, so a chosen day or month includes events that are
  // over.
  const since = filter.day || filter.month ? new Date(0) : now;
  const ofAnyCategory = selectEvents(everywhere, { ...filter, category: null }, since);
  const matching = selectEvents(ofAnyCategory, filter, since);
  const atPlace = selectPlace(services, matching, filter);
  const shownFrom = new Date(Math.max(since.getTime(), window.from.getTime()));
  const events = atPlace.filter((event) => !isOnView(event, shownFrom));
  const onView = atPlace
    .filter((event) => isOnView(event, shownFrom))
    .toSorted((one, other) => one.endsAt.getTime() - other.endsAt.getTime());
  const { heading, intro, history, sources } = texts;
  const viewTitle = texts.outside ? null : filterTitle(filter, timeZone);
  const base = {
    filter,
    ...describeHead(texts, filter, viewTitle, selectPlace(services, everywhere, filter).length),
    texts: { heading: ((filter.day || filter.place) && viewTitle) ?? heading, intro, history },
    viewTitle,
    followTitle: filterTitle(toFollowedFilter(filter), timeZone) ?? heading,
    dayLabel: filter.day && shortDay(filter.day, timeZone),
    categories: countCategories(
      choices.categories,
      selectPlace(services, ofAnyCategory, filter),
      filter,
    ),
    places: countPlaces(services, matching, filter),
    onView: onView.slice(0, maxOnView).map((event) => toWallItem(event, timeZone)),
    soon: { tonight: [], weekend: [], next: [] },
    sources: sources.map(({ name, page }) => ({ name, url: page })),
    thisMonth: (filter.day ?? calendarDay(now, timeZone)).slice(0, 7),
  };
  if (filter.day) {
    const days = listDays(events, filter.day, filter.day, now, timeZone);
    const count = days.reduce((sum, { items }) => sum + items.length, 0);
    return { ...base, count, shown: { kind: "wall" as const, days, moreCount: 0 } };
  }
  if (filter.month) {
    const month = buildMonth(events, filter.month, now, timeZone);
    return { ...base, count: events.length, shown: { kind: "month" as const, month } };
  }
  // The numbers of events in other categories and neighborhoods change as well.
  for (const event of ofAnyCategory) services.expireAt(overAt(event));
  const { count, ...wall } = buildWall(events, window.from, now, timeZone);
  const shown = { kind: "wall" as const, ...wall };
  // A short list needs no selection beside it.
  return filter.when || count <= maxSoon
    ? { ...base, count, shown }
    : { ...base, count, shown, soon: selectSoon(events, now, timeZone) };
}

/** Of all filtered lists, search engines should know only those of neighborhoods with events. */
function describeHead(
  { title, description, heading }: EventsTexts,
  { place }: Filter,
  viewTitle: string | null,
  count: number,
) {
  const path = filterHref(eventsPath, { ...noFilter, place });
  if (!place)
    return { head: { title: viewTitle ?? title, description, path, index: true }, breadcrumbs: [] };
  return {
    head: {
      title: viewTitle ?? title,
      description: `What is on in ${place.name}: concerts, markets, meetings and more, by day.`,
      path,
      index: count > 0,
    },
    breadcrumbs: [
      { name: heading, path: eventsPath },
      { name: place.name, path },
    ],
  };
}

/** Null if the city uses our own events wall. */
export function externalWall({ texts }: EventLookup, eager: boolean): EmbedContent | null {
  if (!texts.outside) return null;
  const { service, url, poster } = texts.outside;
  return {
    service,
    poster,
    eager,
    src: url,
    title: "The events wall",
    noun: "the events wall",
    link: { label: `See it on ${service.name}`, url },
    sandbox: `${playerSandbox} allow-forms`,
    allow: playerAllow,
  };
}

export async function loadEventDetails(lookup: EventLookup, id: string) {
  const found = await findEvent(lookup, id);
  return found ? toEventDetails(found.event, found.others, lookup) : null;
}

/**
 * Parses the filter in the URL of a feed, a calendar or a widget. Unlike on the events page, an
 * invalid value is an error: a program would mistake the full list of events for the filtered one.
 */
function parseExactFilter(lookup: EventLookup, url: URL, choices: Choices): Filter {
  const filter = resolveFilter(lookup, url.searchParams, choices);
  const params = toFilterParams(filter);
  const invalid = filterParamNames.filter((name) => {
    const requested = url.searchParams.get(name)?.toLowerCase();
    const isExplicitNo = name === "free" && requested === "0";
    return requested && !isExplicitNo && requested !== params[name];
  });
  if (invalid.length > 0) throw badRequest(invalid);
  requireCanonicalUrl(url, params);
  return filter;
}

export async function listUpcomingEvents(lookup: EventLookup, filter: Filter) {
  const window = filterWindow(filter, lookup.now, lookup.timeZone, upcomingDays);
  return selectEvents(await eventsWithin(lookup, window), filter, lookup.now);
}

/** Finds the event of a page or file: the next date of a series, or the one on the day in the URL. */
export async function findEventAt(lookup: EventLookup, id: string, url: URL) {
  const found = await findEvent(lookup, id, url.searchParams.get("day"));
  if (found) requireCanonicalUrl(url, { day: found.event.day });
  return found;
}

export async function writeEventCalendar(lookup: EventLookup, id: string, name: string, url?: URL) {
  const found = await (url ? findEventAt(lookup, id, url) : findEvent(lookup, id));
  return found ? toCalendarText(lookup, [found.event], name) : null;
}

/** The response is cached until the first of its events is over, or until midnight. */
export async function loadFollowedEvents(services: PageServices, url: URL) {
  const settings = services.site.read(siteSettingsFile);
  const lookup = createEventLookup(services);
  requireKnownPlace(services, url.searchParams);
  const filter = parseExactFilter(lookup, url, readChoices(lookup, services));
  const events = selectPlace(services, await listUpcomingEvents(lookup, filter), filter);
  services.expireAt(validUntil(lookup));
  for (const event of events) services.expireAt(overAt(event));
  return { lookup, events, filter, siteName: settings.name };
}

/** Pages that say "today" are correct until midnight in the city. */
export const validUntil = ({ now, timeZone }: EventLookup) => nextMidnight(now, timeZone);

type Choices = { categories: string[]; places: Place[] };

const readChoices = ({ texts }: EventLookup, services: Pick<Services, "site">): Choices => ({
  categories: [...texts.categories.map(({ name }) => name), meetingCategory],
  places: listPlaces(services),
});

/**
 * If a query has several of a day, a month and "this weekend", the most precise one applies. For a
 * day outside the range of the month view, the filter selects the nearest month in that range.
 */
function resolveFilter({ now, timeZone }: EventLookup, query: URLSearchParams, choices: Choices) {
  const filter = readFilter(query, choices);
  const requestedMonth = filter.day?.slice(0, 7) ?? filter.month;
  if (!requestedMonth) return filter;
  const month = nearestMonth(requestedMonth, now, timeZone);
  const day = month === requestedMonth ? filter.day : null;
  return { ...filter, when: null, month: day === null ? month : null, day };
}

function badRequest(invalid: string[]): Response {
  const sentences = invalid.map((name) => `The value of "${name}" is not valid.\n`);
  const headers = { ...crossOriginHeaders, "Content-Type": "text/plain; charset=utf-8" };
  return new Response(sentences.join(""), { status: 400, headers });
}
