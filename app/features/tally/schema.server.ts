import { date, integer, pgTable, primaryKey, text } from "drizzle-orm/pg-core";

/** Per day. Nothing about a reader: no IP address, no cookie and no time of day. */
export const tallies = pgTable(
  "tallies",
  {
    /** `unanswered`: a search without a result that contains all words. `missing`: no such page. */
    kind: text({ enum: ["search", "unanswered", "missing"] }).notNull(),
    day: date({ mode: "string" }).notNull(),
    /** The words of the search, or the path of the missing page. */
    key: text().notNull(),
    count: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.kind, table.day, table.key] })],
);
