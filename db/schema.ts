import { pgTable, text, timestamp } from "drizzle-orm/pg-core";

/**
 * Keys and salts that all nodes of a city share. The first node that needs one creates it and
 * stores it here, so there is no file or setting that could be lost.
 */
export const secrets = pgTable("secrets", {
  name: text().primaryKey(),
  value: text().notNull(),
  createdAt: timestamp({ withTimezone: true }).notNull().defaultNow(),
});
