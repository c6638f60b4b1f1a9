import { integer, jsonb, pgTable, text, timestamp } from "drizzle-orm/pg-core";

/**
 * A newsletter issue, stored once. The emails to subscribers refer to it, and get their own
 * unsubscribe link when they are sent.
 */
export const newsletterIssues = pgTable("newsletter_issues", {
  /**
   * The day in the city, such as 2026-11-20. There is at most one issue per day, even if several
   * nodes try to create it.
   */
  id: text().primaryKey(),
  subject: text().notNull(),
  text: text().notNull(),
  html: text().notNull(),
  /**
   * What the issue contains, for the newsletter's page. Null for issues that a restore marks as sent.
   */
  sections: jsonb(),
  /** A point in time, not a person: the issue is sent to subscribers who had confirmed by then. */
  confirmedBy: timestamp({ withTimezone: true }).notNull(),
  createdAt: timestamp({ withTimezone: true }).notNull(),
  /** When all emails to subscribers were queued. */
  writtenAt: timestamp({ withTimezone: true }),
  /** The number of subscribers to whom emails were queued. */
  readers: integer().notNull(),
});
