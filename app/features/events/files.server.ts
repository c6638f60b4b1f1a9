import { z } from "zod";
import { calendarDate, picture, text } from "../../lib/site-fields.server.ts";
import { siteFolder, type ValueOf } from "../../lib/site-file.server.ts";

const at = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time such as "17:30", with quotes');

/** A day of the calendar, or so many days from today: a sample that is never over. */
const moment = z.union(
  [z.strictObject({ on: calendarDate, at }), z.strictObject({ inDays: z.int(), at })],
  'must be { on: 2026-12-05, at: "17:30" } or { inDays: 6, at: "17:30" }',
);
export type Moment = z.output<typeof moment>;

/** Events of our own, one file each. */
export const eventsFolder = siteFolder(
  "events",
  z
    .strictObject({
      title: text,
      excerpt: text,
      category: text,
      location: text,
      free: z.boolean().default(false),
      /** Marks an event that shows how events look here and does not take place. */
      sample: z.boolean().default(false),
      starts: moment,
      ends: moment,
      /** Say something else than the date or the time, such as "Every Saturday in June". */
      dateText: text.optional(),
      timeText: text.optional(),
      image: picture,
    })
    .refine(({ starts, ends }) => orderOf(starts) <= orderOf(ends), {
      path: ["ends"],
      error: "must not be before the start",
    }),
);

export type EventRecord = ValueOf<typeof eventsFolder>;

/** Sorts moments of one kind; of two kinds nothing can be said before the day has come. */
const orderOf = (when: Moment) =>
  "on" in when
    ? `on ${when.on} ${when.at}`
    : `from ${String(when.inDays + 10_000).padStart(6, "0")} ${when.at}`;
