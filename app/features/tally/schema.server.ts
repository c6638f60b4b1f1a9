import { date, integer, pgTable, primaryKey, text } from "drizzle-orm/pg-core";

/**
 * How often per day readers searched for the same words or requested the same missing page. The
 * table contains nothing about a reader: no IP address, no cookie and no time of day.
 */
export const tallies = pgTable(
  "tallies",
  {
    /**
     * `search`: any search. `unanswered`: a search without a result that contains all words.
     * `missing`: a request for a page that does not exist.
     */
    kind: text({ enum: ["search", "unanswered", "missing"] }).notNull(),
    day: date({ mode: "string" }).notNull(),
    /** The words of the search, or the path of the missing page. */
    key: text().notNull(),
    count: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.kind, table.day, table.key] })],
);
