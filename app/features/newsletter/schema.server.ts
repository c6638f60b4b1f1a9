import { index, integer, jsonb, pgTable, text, timestamp, uuid } from "drizzle-orm/pg-core";
import type { IssueSection } from "./issues/format.server.ts";

export const subscribers = pgTable(
  "newsletter_subscribers",
  {
    /** The email address in lowercase, so that each subscriber has only one row. */
    email: text().primaryKey(),
    /** Identifies the subscriber in links and keys, which must not contain an email address. */
    id: uuid().notNull().unique().defaultRandom(),
    state: text({ enum: ["pending", "confirmed"] }).notNull(),
    /** When the email address was last entered while the subscription was pending. */
    createdAt: timestamp({ withTimezone: true }).notNull(),
    confirmedAt: timestamp({ withTimezone: true }),
    /**
     * The hash of the token in the latest confirmation email. Only the recipient knows the token
     * itself.
     */
    tokenHash: text().unique(),
    tokenExpiresAt: timestamp({ withTimezone: true }),
  },
  (table) => [index("newsletter_subscribers_state").on(table.state, table.id)],
);

/**
 * An issue is stored once. The emails to subscribers refer to it, and get their own unsubscribe
 * link when they are sent.
 */
export const newsletterIssues = pgTable("newsletter_issues", {
  /**
   * The day in the city, such as 2026-11-20. As the primary key, it ensures that several nodes
   * create only one issue per day.
   */
  id: text().primaryKey(),
  subject: text().notNull(),
  text: text().notNull(),
  html: text().notNull(),
  /**
   * The content of the issue for the newsletter's page. Null for issues that a restore marks as
   * sent.
   */
  sections: jsonb().$type<IssueSection[]>(),
  /** A point in time, not a person: the issue is sent to subscribers who had confirmed by then. */
  confirmedBy: timestamp({ withTimezone: true }).notNull(),
  createdAt: timestamp({ withTimezone: true }).notNull(),
  /** When the emails to all subscribers were queued. */
  writtenAt: timestamp({ withTimezone: true }),
  /** The number of subscribers to whom emails were queued. */
  readers: integer().notNull(),
});
