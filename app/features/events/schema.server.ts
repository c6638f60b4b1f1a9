import { boolean, date, jsonb, pgTable, text, timestamp, uuid } from "drizzle-orm/pg-core";

/** Events that readers sent or editors wrote at the desk. Readers see only the approved ones. */
export const eventSubmissions = pgTable("event_submissions", {
  id: text().primaryKey(),
  /** Identifies one form, so that a form that is sent twice is stored once. */
  key: text().notNull().unique(),
  title: text().notNull(),
  location: text().notNull(),
  description: text().notNull(),
  category: text().notNull(),
  free: boolean().notNull(),
  url: text().notNull(),
  /** The date that the reader typed, in the city's time zone. */
  day: date().notNull(),
  startsAt: timestamp({ withTimezone: true }).notNull(),
  endsAt: timestamp({ withTimezone: true }).notNull(),
  /** The reader's name, for questions. Deleted when an editor approves or rejects the event. */
  name: text().notNull(),
  /** The reader's email address, deleted together with the name. */
  email: text().notNull(),
  writtenBy: text({ enum: ["reader", "desk"] })
    .notNull()
    .default("reader"),
  /** "down": an editor took the event down. "draft": it was on the site, and is a draft again. */
  state: text({ enum: ["waiting", "approved", "rejected", "down", "draft"] }).notNull(),
  createdAt: timestamp({ withTimezone: true }).notNull(),
  /** When an editor last decided about it or changed it. An undo leaves alone what has a later time. */
  decidedAt: timestamp({ withTimezone: true }),
  /**
   * A hash of the visitor who sent it, which differs every day. It is deleted after an approval, as
   * soon as nothing else of this visitor waits.
   */
  visitorHash: text().notNull().default(""),
  /** The id of all its drafts at the desk. Null if it never had one. */
  draftId: uuid("draft").unique(),
  /** What an editor typed, by field, for a decision that was undone. Null after the next one. */
  typed: jsonb().$type<Record<string, string>>(),
});
