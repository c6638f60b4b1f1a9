import { index, pgTable, text, timestamp, uuid } from "drizzle-orm/pg-core";

export const subscribers = pgTable(
  "newsletter_subscribers",
  {
    /** In lowercase, so that each subscriber has one row, however the address is typed. */
    email: text().primaryKey(),
    /** Identifies the subscriber in links and keys, which must not contain an email address. */
    id: uuid().notNull().unique().defaultRandom(),
    state: text({ enum: ["pending", "confirmed"] }).notNull(),
    /** While the state is pending: when the address was last entered. */
    createdAt: timestamp({ withTimezone: true }).notNull(),
    confirmedAt: timestamp({ withTimezone: true }),
    /**
     * The hash of the token in the last confirmation email. The token itself is known to the
     * recipient only.
     */
    tokenHash: text().unique(),
    tokenExpiresAt: timestamp({ withTimezone: true }),
  },
  (table) => [index("newsletter_subscribers_state").on(table.state, table.id)],
);
