import { pgTable, text, timestamp } from "drizzle-orm/pg-core";

/** Where old paths lead since an editor renamed a page at the desk. Lines of redirects.yaml win. */
export const redirects = pgTable("redirects", {
  oldPath: text().primaryKey(),
  newPath: text().notNull(),
  createdAt: timestamp({ withTimezone: true }).notNull(),
});
