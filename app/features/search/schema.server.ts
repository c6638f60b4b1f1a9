import { sql } from "drizzle-orm";
import { bigint, boolean, index, integer, pgTable, text, timestamp } from "drizzle-orm/pg-core";
import { tsvector } from "../../../db/column-types.ts";
import { kinds } from "./model.ts";

/** A copy of all searchable content except headlines, which are searched in their own table. */
export const searchDocuments = pgTable(
  "search_documents",
  {
    id: text().primaryKey(),
    kind: text({ enum: kinds }).notNull(),
    /** The path of one of our pages, or an external URL. */
    link: text().notNull(),
    title: text().notNull(),
    /**
     * Other names that readers may use, one per line. They are never shown. A match counts as much
     * as a match in the title.
     */
    aliases: text().notNull(),
    /** What is shown next to the title: a category, a place and a date, or an author. */
    detail: text().notNull(),
    summary: text().notNull(),
    body: text().notNull(),
    /** Related words that do not occur in the document. They are never shown. */
    keywords: text().notNull(),
    /** When the document was published, or when the event begins. Null if there is no date. */
    at: timestamp({ withTimezone: true }),
    isSample: boolean().notNull(),
    /** A hash that changes whenever one of the other columns changes. */
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

/** Every word that ever occurred in a document or headline, for spelling corrections. */
export const searchWords = pgTable(
  "search_words",
  {
    word: text().primaryKey(),
    /**
     * Roughly the number of documents and headlines with this word. A document that changes is
     * counted again.
     */
    uses: integer().notNull(),
  },
  (table) => [index("search_words_alike").using("gin", table.word.op("gin_trgm_ops"))],
);

/**
 * How far each table was read for `search_words`: `upTo` is the id of the last row whose words were
 * added.
 */
export const searchProgress = pgTable("search_progress", {
  table: text().primaryKey(),
  upTo: bigint({ mode: "number" }).notNull(),
});
