import { boolean, index, pgTable, primaryKey, text, timestamp } from "drizzle-orm/pg-core";

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
