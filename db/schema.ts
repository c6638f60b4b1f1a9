import { pgTable, text, timestamp } from "drizzle-orm/pg-core";

/** Keys and salts that all nodes of a city share, so there is no file that could be lost. */
export const secrets = pgTable("secrets", {
  name: text().primaryKey(),
  value: text().notNull(),
  createdAt: timestamp({ withTimezone: true }).notNull().defaultNow(),
});
