import { integer, pgTable, text, timestamp } from "drizzle-orm/pg-core";

/**
 * A letter, stored once; the mails of its readers name it, and get their own way out when they are
 * sent.
 */
export const newsletterIssues = pgTable("newsletter_issues", {
  /**
   * The city's day, such as 2026-11-20: one letter a day, however often and by how many nodes it is
   * begun.
   */
  id: text().primaryKey(),
  subject: text().notNull(),
  text: text().notNull(),
  html: text().notNull(),
  /** Goes to those who had confirmed by then. */
  confirmedBy: timestamp({ withTimezone: true }).notNull(),
  createdAt: timestamp({ withTimezone: true }).notNull(),
  /** When a mail to every reader was written down. */
  writtenAt: timestamp({ withTimezone: true }),
  readers: integer().notNull(),
});
