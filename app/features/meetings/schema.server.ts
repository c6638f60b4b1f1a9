import { boolean, index, pgTable, primaryKey, text, timestamp } from "drizzle-orm/pg-core";

/** Every meeting from a source, and those that editors write. Past ones are stored for a year. */
export const meetings = pgTable(
  "meetings",
  {
    source: text().notNull(),
    id: text().notNull(),
    /** The body as the source names it or, in a calendar, the title of the entry. */
    name: text().notNull(),
    /** These three are empty, except in meetings that editors write. */
    title: text().notNull().default(""),
    howToSpeak: text().notNull().default(""),
    signUp: text().notNull().default(""),
    text: text().notNull(),
    location: text().notNull(),
    startsAt: timestamp({ withTimezone: true }).notNull(),
    /** Equal to `startsAt` if the end is not known. */
    endsAt: timestamp({ withTimezone: true }).notNull(),
    /** Whether only the date is known. */
    allDay: boolean().notNull(),
    /** URLs. Empty if the source has no such document. */
    agenda: text().notNull(),
    minutes: text().notNull(),
    video: text().notNull(),
    link: text().notNull(),
    canceled: boolean().notNull(),
    /** When and where the meeting was first planned, if the source has moved it since. */
    movedFrom: timestamp({ withTimezone: true }),
    movedFromRoom: text(),
    /** When we learned of the meeting. */
    firstSeenAt: timestamp({ withTimezone: true }).notNull(),
    /** When the source last contained the meeting. */
    seenAt: timestamp({ withTimezone: true }).notNull(),
    /** When the source last changed the meeting. Null if it has not since we know it. */
    changedAt: timestamp({ withTimezone: true }),
  },
  (table) => [
    primaryKey({ columns: [table.source, table.id] }),
    index("meetings_id").on(table.id),
    index("meetings_ends_at").on(table.endsAt),
  ],
);
