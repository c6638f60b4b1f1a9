import { integer, jsonb, pgTable, text, timestamp } from "drizzle-orm/pg-core";
import type { Cause } from "../../lib/external/source-visits.server.ts";

/** The state of every document between two visits. Site files list the sources. */
export const sourceDocuments = pgTable("source_documents", {
  id: text().primaryKey(),
  /** The URL that the rest of the row is about. If the settings change it, the row is reset. */
  url: text().notNull(),
  /** The URL to which a permanent redirect led. */
  movedTo: text(),
  etag: text(),
  lastModified: text(),
  bodyHash: text(),
  /** The last content that we could read, if pages read it here. */
  content: jsonb().$type<object>(),
  items: integer().notNull(),
  checkedAt: timestamp({ withTimezone: true }).notNull(),
  lastSuccessAt: timestamp({ withTimezone: true }),
  /** When the document was last read, and not only found to be unchanged. */
  readAt: timestamp({ withTimezone: true }),
  nextAttemptAt: timestamp({ withTimezone: true }).notNull(),
  failures: integer().notNull(),
  cause: text().$type<Cause>(),
  detail: text(),
});
