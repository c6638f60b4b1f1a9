import { date, integer, pgTable, primaryKey, text } from "drizzle-orm/pg-core";

/**
 * How often something was requested on a day. The table contains no IP address, no cookie and no
 * time of day: nothing about a reader.
 */
export const tallies = pgTable(
  "tallies",
  {
    kind: text({ enum: ["search", "unanswered", "missing"] }).notNull(),
    day: date({ mode: "string" }).notNull(),
    key: text().notNull(),
    count: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.kind, table.day, table.key] })],
);
