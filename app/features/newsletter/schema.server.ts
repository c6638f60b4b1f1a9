import { pgTable, text, timestamp } from "drizzle-orm/pg-core";

export const subscribers = pgTable("newsletter_subscribers", {
  /** Lower-case: one reader, one row, however the address is typed. */
  email: text().primaryKey(),
  state: text({ enum: ["pending"] }).notNull(),
  createdAt: timestamp({ withTimezone: true }).notNull(),
});
