import { sql } from "drizzle-orm";
import { bigint, boolean, index, integer, pgTable, text, timestamp } from "drizzle-orm/pg-core";
import { tsvector } from "../../../db/text-search.ts";
import { kinds } from "./model.ts";

/** A copy of all that can be found, headlines excepted: those are searched where they are. */
export const searchDocuments = pgTable(
  "search_documents",
  {
    id: text().primaryKey(),
    kind: text({ enum: kinds }).notNull(),
    /** A page of ours, or an address elsewhere. */
    link: text().notNull(),
    title: text().notNull(),
    /**
     * What readers may call it instead, one name a line. Never shown, and worth as much as the
     * title.
     */
    aliases: text().notNull(),
    /** What stands beside the title: a category, a place and a day, an author. */
    detail: text().notNull(),
    summary: text().notNull(),
    body: text().notNull(),
    /** Words that belong to it but stand nowhere in it. Never shown. */
    keywords: text().notNull(),
    /** When it was published, or begins. None for what does not age. */
    at: timestamp({ withTimezone: true }),
    isSample: boolean().notNull(),
    /** Another one means that something of the rest has changed. */
    version: text().notNull(),
    searchVector: tsvector()
      .notNull()
      .generatedAlwaysAs(
        sql`search_vector("title" || ' ' || "aliases", "detail" || ' ' || "summary", "body" || ' ' || "keywords")`,
      ),
  },
  (table) => [
    index("search_documents_search_vector")
      .using("gin", table.searchVector)
      .with({ fastupdate: false }),
  ],
);

/** Every word that was ever written here, for those who spell it otherwise. */
export const searchWords = pgTable(
  "search_words",
  {
    word: text().primaryKey(),
    /** In about so many texts; one that was changed counts again. */
    uses: integer().notNull(),
  },
  (table) => [index("search_words_alike").using("gin", table.word.op("gin_trgm_ops"))],
);

/** Up to which headline words have been gathered. */
export const searchProgress = pgTable("search_progress", {
  table: text().primaryKey(),
  upTo: bigint({ mode: "number" }).notNull(),
});
