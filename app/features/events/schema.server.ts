import { boolean, date, pgTable, text, timestamp } from "drizzle-orm/pg-core";

/**
 * Events that readers have sent. One that is approved is shown; the others are seen by editors
 * only.
 */
export const eventSubmissions = pgTable("event_submissions", {
  id: text().primaryKey(),
  /** The same for a form that was sent twice. */
  key: text().notNull().unique(),
  title: text().notNull(),
  location: text().notNull(),
  description: text().notNull(),
  category: text().notNull(),
  free: boolean().notNull(),
  url: text().notNull(),
  /** As it was typed, for the editor to read. */
  day: date().notNull(),
  startsAt: timestamp({ withTimezone: true }).notNull(),
  endsAt: timestamp({ withTimezone: true }).notNull(),
  /** Whom to ask. Gone as soon as an editor has decided. */
  name: text().notNull(),
  email: text().notNull(),
  state: text({ enum: ["waiting", "approved", "rejected"] }).notNull(),
  createdAt: timestamp({ withTimezone: true }).notNull(),
  decidedAt: timestamp({ withTimezone: true }),
});
