import { pgTable, text, timestamp } from "drizzle-orm/pg-core";

/**
 * Keys and salts that all nodes of a city share. Made by the first that needs one; no file, no
 * setting to lose.
 */
export const secrets = pgTable("secrets", {
  name: text().primaryKey(),
  value: text().notNull(),
  createdAt: timestamp({ withTimezone: true }).notNull().defaultNow(),
});
