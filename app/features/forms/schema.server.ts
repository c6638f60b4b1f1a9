import { integer, pgTable, primaryKey, text, timestamp } from "drizzle-orm/pg-core";

/**
 * How often somebody has sent a form within an hour. Who that is, not even we can tell once the day
 * is over.
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
