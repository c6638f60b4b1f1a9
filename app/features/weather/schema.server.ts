import { integer, jsonb, pgTable, text, timestamp } from "drizzle-orm/pg-core";
import type { Cause } from "../../lib/external/source-visits.server.ts";

/**
 * The documents of the Weather Service: the last content that we could read, and the state between
 * two visits.
 */
export const weatherDocuments = pgTable("weather_documents", {
  id: text().primaryKey(),
  /** The URL that the rest of the row is about. If the settings change it, the row is reset. */
  url: text().notNull(),
  etag: text(),
  lastModified: text(),
  bodyHash: text(),
  content: jsonb().$type<object>(),
  checkedAt: timestamp({ withTimezone: true }).notNull(),
  lastSuccessAt: timestamp({ withTimezone: true }),
  nextAttemptAt: timestamp({ withTimezone: true }).notNull(),
  failures: integer().notNull(),
  cause: text().$type<Cause>(),
  detail: text(),
});
