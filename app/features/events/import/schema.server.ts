import { boolean, index, integer, pgTable, primaryKey, text, timestamp } from "drizzle-orm/pg-core";
import type { Cause } from "../../../lib/external/source-visits.server.ts";

/** Every date of every event from an imported calendar. Past dates are stored for a year. */
export const calendarEvents = pgTable(
  "calendar_events",
  {
    source: text().notNull(),
    id: text().notNull(),
    /** Shared by all dates of a series. */
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
    /** When the calendar last contained the date. */
    seenAt: timestamp({ withTimezone: true }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.source, table.id] }),
    index("calendar_events_id").on(table.id),
    index("calendar_events_ends_at").on(table.endsAt),
  ],
);

/**
 * The state of every calendar between two visits. The list of calendars is in the site file
 * events.yaml.
 */
export const calendarSources = pgTable("calendar_sources", {
  id: text().primaryKey(),
  /**
   * The URL that the rest of the row is about. If the URL in the site file changes, the row is
   * reset.
   */
  url: text().notNull(),
  etag: text(),
  lastModified: text(),
  bodyHash: text(),
  checkedAt: timestamp({ withTimezone: true }).notNull(),
  lastSuccessAt: timestamp({ withTimezone: true }),
  /** When the calendar was last read, and not only found to be unchanged. */
  readAt: timestamp({ withTimezone: true }),
  nextAttemptAt: timestamp({ withTimezone: true }).notNull(),
  failures: integer().notNull(),
  cause: text().$type<Cause>(),
  detail: text(),
  items: integer().notNull(),
  /** The number of lines and events that could not be parsed. */
  broken: integer().notNull(),
});
