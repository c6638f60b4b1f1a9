import { date, pgTable, text, timestamp, uuid } from "drizzle-orm/pg-core";

/** The listings of the community page that editors write. */
export const communityListings = pgTable("community_listings", {
  id: uuid().primaryKey(),
  /** The name of a group of links. Empty for a volunteer opportunity. */
  group: text().notNull(),
  title: text().notNull(),
  text: text().notNull(),
  link: text().notNull(),
  /** These two are empty if unknown, and in groups of links. */
  organization: text().notNull(),
  commitment: text().notNull(),
  /** The last day on which the listing is shown, in the city's time zone. */
  until: date(),
  /** When somebody last checked that the listing is still true. */
  checked: date(),
  createdAt: timestamp({ withTimezone: true }).notNull(),
});
