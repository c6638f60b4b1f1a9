import { calendarDay } from "../../../lib/dates.ts";
import { createMemo } from "../../../lib/memo.ts";
import type { PageServices } from "../../../platform/services.ts";
import { neighborhoodsFile } from "../../places/files.server.ts";
import { createPlaceMatcher } from "../../places/match.server.ts";
import type { Place } from "../../places/model.ts";
import { type EventList, noFilter } from "../model.ts";
import type { CityEvent } from "./city-event.ts";
import { findComingEvents } from "./coming.server.ts";
import { isOver, overAt, toWallItem } from "./describe.server.ts";
import { type EventLookup, eventsWithin } from "./gather.server.ts";
import { filterWindow, isOnView, oncePerSeries, selectComing } from "./select.server.ts";

const listCount = 2;
const listLength = 4;

/**
 * Other events of its day, and the next ones in its neighborhood. If one of these lists is empty,
 * the next events of the city.
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
    const ofDay = selectComing(events, filter, now).filter((each) => !isOnView(each, firstDay));
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

const matchers = createMemo<{ place: Place; isAbout: (texts: string[]) => boolean }[]>();

/** The neighborhood of an event: the one that its location names, or else its title. */
function findPlace(
  { site }: Pick<PageServices, "site">,
  { location, title }: CityEvent,
): Place | null {
  const file = site.read(neighborhoodsFile);
  const places = matchers("all", [file], () =>
    file.map(({ slug, name, ...words }) => ({
      place: { slug, name },
      isAbout: createPlaceMatcher(words),
    })),
  );
  const find = (text: string) => places.find(({ isAbout }) => isAbout([text]))?.place;
  return find(location) ?? find(title) ?? null;
}
