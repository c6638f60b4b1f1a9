import type { Image } from "../../../lib/site/site-fields.server.ts";

/** One date of an event, wherever it comes from: a file of ours, somebody's calendar, a reader. */
export type CityEvent = {
  id: string;
  /** The same for all dates of a series, and never for two events. */
  series: string;
  isSeries: boolean;
  title: string;
  excerpt: string;
  html: string | null;
  text: string;
  location: string;
  category: string;
  free: boolean;
  startsAt: Date;
  /** Of whole days, the midnight after the last. The same as the start where no end is known. */
  endsAt: Date;
  allDay: boolean;
  image: Image | null;
  isSample: boolean;
  cancelled: boolean;
  source: { name: string; url: string } | null;
  link: string | null;
  /** Said instead of the date or the time. */
  textOverrides: { date: string | null; time: string | null };
};

/** Where and when events are looked at. */
export type CityInfo = {
  timeZone: string;
  city: string;
  state?: string | undefined;
  origin: string;
};
