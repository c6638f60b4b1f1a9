import { index, pgTable, text, timestamp, uuid } from "drizzle-orm/pg-core";

export const subscribers = pgTable(
  "newsletter_subscribers",
  {
    /** Lower-case: one reader, one row, however the address is typed. */
    email: text().primaryKey(),
    /** Names the reader in links and keys, where an address must not stand. */
    id: uuid().notNull().unique().defaultRandom(),
    state: text({ enum: ["pending", "confirmed"] }).notNull(),
    /** When the address was last entered, while it is pending. */
    createdAt: timestamp({ withTimezone: true }).notNull(),
    confirmedAt: timestamp({ withTimezone: true }),
    /** Of the link in the last confirmation mail. The link itself is known to its reader only. */
    tokenHash: text().unique(),
    tokenExpiresAt: timestamp({ withTimezone: true }),
  },
  (table) => [index("newsletter_subscribers_state").on(table.state, table.id)],
);
