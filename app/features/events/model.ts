import type { Image } from "../../lib/site/site-fields.server.ts";
import { toSlug } from "../../lib/text/slug.ts";

/** What a card shows of an event; dates and times are written out on the server. */
export type EventItem = {
  id: string;
  title: string;
  excerpt: string;
  location: string;
  dateLine: string;
  timeLine: string;
  /** The day as a calendar's leaf shows it, where there is no picture. */
  dateTile: DateTile;
  image: Image | null;
  isSample: boolean;
};

/**
 * The title of an event where our notice does not go with it, such as in a reader's own calendar.
 */
export const standaloneTitle = ({ title, isSample }: Pick<EventItem, "title" | "isSample">) =>
  isSample ? `Sample: ${title}` : title;

export type DateTile = { weekday: string; month: string; day: string };

/** An event on the wall, under the heading of its day. */
export type WallItem = Omit<EventItem, "excerpt"> & {
  category: string;
  free: boolean;
  isSeries: boolean;
};
export type WallDay = { day: string; heading: string; items: WallItem[] };

export type EventDetails = EventItem & {
  category: string;
  free: boolean;
  /** For machines: in the city's time with its offset from UTC; of whole days, just the days. */
  startsAt: string;
  endsAt: string;
  isPast: boolean;
  isCancelled: boolean;
  /** What our own desk wrote is HTML; what came from elsewhere is plain text. */
  html: string | null;
  text: string;
  source: { name: string; url: string } | null;
  link: string | null;
  mapUrl: string;
  /** Other dates of the same series. */
  moreDates: { id: string; label: string }[];
  calendars: { label: string; url: string }[];
};

export const slideIntervalMs = 5_000;

/** The slide after this one, from the last back to the first. */
export const nextSlide = (index: number, count: number) => (index + 1) % count;

export const eventsPath = "/events";
export const submitEventPath = "/events/submit";

export const whenValues = ["today", "weekend", "month"] as const;
export const whenLabels: Record<(typeof whenValues)[number], string> = {
  today: "Today",
  weekend: "This weekend",
  month: "This month",
};

/**
 * What a reader wants to see of the calendar. `month` is one of the month view, such as 2026-12;
 * `day` is one date.
 */
export type Filter = {
  when: (typeof whenValues)[number] | null;
  free: boolean;
  category: string | null;
  month: string | null;
  day: string | null;
};

export const noFilter: Filter = { when: null, free: false, category: null, month: null, day: null };

/** The query parameters of a filter, which are those that the pages declare. */
export const filterParams = ["when", "free", "category", "month", "day"] as const;

/**
 * What is not understood is as good as not there: a link with a typing mistake still shows the
 * calendar.
 */
export function readFilter(query: URLSearchParams, categories: string[]): Filter {
  const given = query.get("category")?.toLowerCase();
  const month = query.get("month") ?? "";
  const day = query.get("day") ?? "";
  return {
    when: whenValues.find((when) => when === query.get("when")) ?? null,
    free: query.get("free") === "1",
    category: categories.find((name) => toSlug(name) === given) ?? null,
    month: /^20\d\d-(0[1-9]|1[0-2])$/.test(month) ? month : null,
    day: isDay(day) ? day : null,
  };
}

/** February 30 has the form of a day, but the calendar counts on from it. */
function isDay(day: string): boolean {
  const date = /^20\d\d-\d\d-\d\d$/.test(day) ? new Date(`${day}T00:00:00Z`) : null;
  return date !== null && !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day);
}

/** The parameters that a program asked for and would not get: it needs an error, not all events. */
export function invalidParams(query: URLSearchParams, filter: Filter): string[] {
  const isClearNo = (name: string) => name === "free" && query.get(name) === "0";
  return filterParams.filter((name) => query.get(name) && !filter[name] && !isClearNo(name));
}

/** The filter as query parameters, the same for the same filter. */
export const filterValues = ({ when, free, category, month, day }: Filter) => ({
  when,
  free: free ? "1" : null,
  category: category && toSlug(category),
  month,
  day,
});

/** The address of a filter, the same for the same filter. */
export function filterHref(path: string, filter: Filter): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(filterValues(filter)))
    if (value) query.set(name, value);
  return query.size === 0 ? path : `${path}?${query}`;
}

export const maxTitleLength = 120;
export const maxLocationLength = 200;
export const maxDescriptionLength = 5_000;
export const maxNameLength = 100;
export const maxUrlLength = 500;

/**
 * How long an event waits before it is deleted unread, and how long one that was not taken is kept.
 */
export const waitingLifetimeDays = 90;
export const rejectedLifetimeDays = 30;
