import { integer, pgTable, primaryKey, text, timestamp } from "drizzle-orm/pg-core";

/**
 * How often each visitor, or all visitors together, sent a form within an hour, and how many emails
 * about them the newsroom got. Visitors are stored as hashes that even we cannot trace back after
 * two days.
 */
export const formCounts = pgTable(
  "form_counts",
  {
    visitor: text().notNull(),
    form: text().notNull(),
    hour: timestamp({ withTimezone: true }).notNull(),
    count: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.visitor, table.form, table.hour] })],
);
