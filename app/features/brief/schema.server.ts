import { boolean, jsonb, pgTable, text, timestamp } from "drizzle-orm/pg-core";

/** The daily briefs, each with its content as it was when the brief was made. */
export const dailyBriefs = pgTable("daily_briefs", {
  /**
   * The day in the city, such as 2026-11-20. There is at most one brief per day, even if several
   * nodes try to make it.
   */
  day: text().primaryKey(),
  /** See `contentSchema`, which parses it. */
  content: jsonb().notNull(),
  /** Whether it has something besides samples, so that feeds and search engines may have it. */
  hasNews: boolean().notNull(),
  createdAt: timestamp({ withTimezone: true }).notNull(),
  updatedAt: timestamp({ withTimezone: true }).notNull(),
});
