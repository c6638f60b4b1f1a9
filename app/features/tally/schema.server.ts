import { date, integer, pgTable, primaryKey, text } from "drizzle-orm/pg-core";

/**
 * How often readers searched for the same words, or requested the same missing page, on a day. The
 * table contains no IP address, no cookie and no time of day: nothing about a reader.
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
