import { boolean, index, integer, pgTable, primaryKey, text, timestamp } from "drizzle-orm/pg-core";
import type { Cause } from "../../../lib/external/source-visits.server.ts";

/** Every date of every event that other people's calendars name. What is over stays for a year. */
export const calendarEvents = pgTable(
  "calendar_events",
  {
    source: text().notNull(),
    id: text().notNull(),
    /** The same for all dates of a series. */
    series: text().notNull(),
    title: text().notNull(),
    description: text().notNull(),
    location: text().notNull(),
    url: text().notNull(),
    categories: text().array().notNull(),
    startsAt: timestamp({ withTimezone: true }).notNull(),
    endsAt: timestamp({ withTimezone: true }).notNull(),
    allDay: boolean().notNull(),
    cancelled: boolean().notNull(),
    /** When the calendar last named it. */
    seenAt: timestamp({ withTimezone: true }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.source, table.id] }),
    index("calendar_events_id").on(table.id),
    index("calendar_events_ends_at").on(table.endsAt),
  ],
);

/**
 * What is known of every calendar between two visits. The city's file says which calendars there
 * are.
 */
export const calendarSources = pgTable("calendar_sources", {
  id: text().primaryKey(),
  /** As in the city's file when the rest was learnt; another address begins anew. */
  url: text().notNull(),
  etag: text(),
  lastModified: text(),
  bodyHash: text(),
  checkedAt: timestamp({ withTimezone: true }).notNull(),
  lastSuccessAt: timestamp({ withTimezone: true }),
  /** When it was last read as a whole, and not just found to be unchanged. */
  readAt: timestamp({ withTimezone: true }),
  nextAttemptAt: timestamp({ withTimezone: true }).notNull(),
  failures: integer().notNull(),
  cause: text().$type<Cause>(),
  detail: text(),
  items: integer().notNull(),
  /** Lines and events that could not be understood. */
  broken: integer().notNull(),
});
