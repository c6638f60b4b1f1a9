import { integer, pgTable, text, timestamp } from "drizzle-orm/pg-core";

/**
 * A newsletter issue, stored once. The emails to subscribers refer to it, and get their own
 * unsubscribe link when they are sent.
 */
export const newsletterIssues = pgTable("newsletter_issues", {
  /**
   * The day in the city, such as 2026-11-20. There is at most one issue per day, even if several
   * nodes begin it.
   */
  id: text().primaryKey(),
  subject: text().notNull(),
  text: text().notNull(),
  html: text().notNull(),
  /** The issue is sent to subscribers who had confirmed by then. */
  confirmedBy: timestamp({ withTimezone: true }).notNull(),
  createdAt: timestamp({ withTimezone: true }).notNull(),
  /** When the emails to all subscribers were queued. */
  writtenAt: timestamp({ withTimezone: true }),
  readers: integer().notNull(),
});
