import type { Picture } from "../../lib/site-fields.server.ts";

/** What a card shows of an event; dates and times are written out on the server. */
export type EventItem = {
  id: string;
  title: string;
  excerpt: string;
  location: string;
  dateLine: string;
  timeLine: string;
  image: Picture;
  isSample: boolean;
};

export type EventDetails = EventItem & {
  category: string;
  free: boolean;
  /** ISO instants, for machines. */
  startsAt: string;
  endsAt: string;
  isPast: boolean;
  html: string;
};

export const advanceEveryMs = 5_000;

/** The slide after this one, from the last back to the first. */
export const nextSlide = (index: number, count: number) => (index + 1) % count;
