import { boolean, index, pgTable, primaryKey, text, timestamp } from "drizzle-orm/pg-core";

/**
 * Every date of every event and public meeting from a source, and the meetings that editors write.
 * Past dates are stored for a year.
 */
export const calendarEvents = pgTable(
  "calendar_events",
  {
    source: text().notNull(),
    id: text().notNull(),
    /** Shared by all dates of a series. */
    series: text().notNull(),
    /** Of a meeting that is not from a calendar, this is the body. */
    title: text().notNull(),
    description: text().notNull(),
    location: text().notNull(),
    url: text().notNull(),
    categories: text().array().notNull().default([]),
    startsAt: timestamp({ withTimezone: true }).notNull(),
    /** Equal to `startsAt` if the end is not known. */
    endsAt: timestamp({ withTimezone: true }).notNull(),
    /** Of a meeting, this means that only the date is known. */
    allDay: boolean().notNull(),
    cancelled: boolean().notNull(),
    /** Only meetings have documents, whose URLs are empty if there are none. */
    agenda: text().notNull().default(""),
    minutes: text().notNull().default(""),
    video: text().notNull().default(""),
    /** These three are empty, except in meetings that editors write. */
    subject: text().notNull().default(""),
    howToSpeak: text().notNull().default(""),
    signUp: text().notNull().default(""),
    /** When and where it was first planned, if the source has moved it since. */
    movedFrom: timestamp({ withTimezone: true }),
    movedFromRoom: text(),
    /** When we learned of the date. */
    firstSeenAt: timestamp({ withTimezone: true }).notNull(),
    /** When the source last contained the date. */
    seenAt: timestamp({ withTimezone: true }).notNull(),
    /** When the source last changed the date. Null if it has not since we know it. */
    changedAt: timestamp({ withTimezone: true }),
  },
  (table) => [
    primaryKey({ columns: [table.source, table.id] }),
    index("calendar_events_id").on(table.id),
    index("calendar_events_ends_at").on(table.endsAt),
  ],
);
