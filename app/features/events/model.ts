import { isDay } from "../../lib/is-day.ts";
import { feedLinks } from "../../lib/links/feed-formats.ts";
import { toQueryString } from "../../lib/links/query.ts";
import { toSlug } from "../../lib/text/slug.ts";
import type { Image } from "../../site-files/site-fields.server.ts";
import type { Place } from "../places/model.ts";

/** An event as a card shows it. The server formats the dates and times. */
export type EventItem = {
  id: string;
  path: string;
  title: string;
  excerpt: string;
  location: string;
  dateLine: string;
  timeLine: string;
  /** The day in large type, shown in place of a missing image. */
  dateTile: DateTile;
  image: Image | null;
  isSample: boolean;
};

/** The title for places without our "sample event" notice, such as a reader's own calendar. */
export const standaloneTitle = ({ title, isSample }: Pick<EventItem, "title" | "isSample">) =>
  isSample ? `Sample: ${title}` : title;

export const toSavedEvent = (
  event: Pick<EventItem, "path" | "title" | "dateLine" | "timeLine">,
) => ({
  url: event.path,
  title: event.title,
  kind: "event" as const,
  when: `${event.dateLine}, ${event.timeLine}`,
});

export type DateTile = { weekday: string; month: string; day: string };

/** An event on the events wall, which lists events under a heading for each day. */
export type WallItem = Omit<EventItem, "excerpt"> & {
  category: string;
  /** "Free", or what admission costs, if that is known. */
  price: string | null;
  /** How often the event repeats, such as "Every Thursday". Null for a single date. */
  repeats: string | null;
};
export type WallDay = { day: string; heading: string; items: WallItem[] };

/** A few events, and the filter of the events page that shows all of them. */
export type EventList = { label: string; filter: Filter; events: WallItem[] };

/** A neighborhood, with the number of events that the other filters select there. */
export type PlaceCount = Place & { count: number };
export type CategoryCount = { name: string; count: number };

export const slideIntervalMs = 5_000;

export const nextSlide = (index: number, count: number) => (index + 1) % count;

export const eventsPath = "/events";
/** The path of the feed, without its extension. */
export const eventFeedPath = "/feeds/events";
/**
 * How many days before it begins an event is in the feed. Feed readers sort by the date of
 * publication, which calendars do not tell, so this is the day on which we announce an event.
 */
export const announcedDays = 30;
/** How far ahead the events wall goes. */
export const wallMonths = 2;
export const submitEventPath = "/events/submit";

export const whenValues = ["today", "weekend", "month"] as const;
export const whenLabels: Record<(typeof whenValues)[number], string> = {
  today: "Today",
  weekend: "This weekend",
  month: "This month",
};

/** `month` is a month of the month view, such as 2026-12; `day` is a date, such as 2026-12-05. */
export type Filter = {
  place: Place | null;
  when: (typeof whenValues)[number] | null;
  free: boolean;
  category: string | null;
  month: string | null;
  day: string | null;
};

export const noFilter: Filter = {
  place: null,
  when: null,
  free: false,
  category: null,
  month: null,
  day: null,
};

/** The names of a filter's query parameters. The routes of the event pages declare them. */
export const filterParamNames = ["place", "when", "free", "category", "month", "day"] as const;

/** Ignores invalid values, so that a link with a typo shows events. Pages refuse unknown places. */
export function readFilter(
  query: URLSearchParams,
  { categories, places }: { categories: string[]; places: Place[] },
): Filter {
  const categorySlug = query.get("category")?.toLowerCase();
  const month = query.get("month") ?? "";
  const day = query.get("day") ?? "";
  return {
    place: places.find(({ slug }) => slug === query.get("place")) ?? null,
    when: whenValues.find((when) => when === query.get("when")) ?? null,
    free: query.get("free") === "1",
    category: categories.find((name) => toSlug(name) === categorySlug) ?? null,
    month: /^20\d\d-(0[1-9]|1[0-2])$/.test(month) ? month : null,
    day: isDay(day) ? day : null,
  };
}

/** Equal filters give equal parameters in the same order. */
export const toFilterParams = ({ place, when, free, category, month, day }: Filter) => ({
  place: place?.slug ?? null,
  when,
  free: free ? "1" : null,
  category: category && toSlug(category),
  month,
  day,
});

/** Equal filters give equal paths, so that a filtered page is cached only once. */
export const filterHref = (path: string, filter: Filter): string =>
  path + toQueryString(toFilterParams(filter));

/**
 * The filter of a calendar, a feed or a widget that a reader follows: a single day or month would
 * pass.
 */
export const toFollowedFilter = (filter: Filter): Filter => ({ ...filter, month: null, day: null });

export const toFeed = (filter: Filter) => ({
  path: eventFeedPath,
  query: toQueryString(toFilterParams(toFollowedFilter(filter))),
});

/** The <link> elements that tell programs where the calendar and the feeds of a page are. */
export const followLinks = (filter: Filter, title: string) => [
  {
    tagName: "link",
    rel: "alternate",
    type: "text/calendar",
    title,
    href: filterHref("/events.ics", toFollowedFilter(filter)),
  },
  ...feedLinks(toFeed(filter).path, title, toFeed(filter).query),
];

export const maxTitleLength = 120;
export const maxLocationLength = 200;
export const maxDescriptionLength = 5_000;
export const maxNameLength = 100;
export const maxUrlLength = 500;

/** How long a reader's event is stored if no editor decides about it. */
export const waitingRetentionDays = 90;
/** How long a reader's event is stored after an editor has rejected it. */
export const rejectedRetentionDays = 30;
