import { integer, pgTable, text, timestamp } from "drizzle-orm/pg-core";
import type { Cause } from "../../lib/external/source-visits.server.ts";

/**
 * The state of every source of dates between two visits. The lists of sources are in site files:
 * events.yaml, meetings.yaml.
 */
export const calendarSources = pgTable("calendar_sources", {
  id: text().primaryKey(),
  /**
   * The URL that the rest of the row is about. If the URL in the site file changes, the row is
   * reset.
   */
  url: text().notNull(),
  etag: text(),
  lastModified: text(),
  bodyHash: text(),
  checkedAt: timestamp({ withTimezone: true }).notNull(),
  lastSuccessAt: timestamp({ withTimezone: true }),
  /** When the source was last read, and not only found to be unchanged. */
  readAt: timestamp({ withTimezone: true }),
  nextAttemptAt: timestamp({ withTimezone: true }).notNull(),
  failures: integer().notNull(),
  cause: text().$type<Cause>(),
  detail: text(),
  items: integer().notNull(),
  /** The number of lines and events that could not be parsed. */
  broken: integer().notNull(),
});
