import { index, pgTable, text, timestamp, uuid } from "drizzle-orm/pg-core";

export const subscribers = pgTable(
  "newsletter_subscribers",
  {
    /** The email address in lowercase, so that each subscriber has only one row. */
    email: text().primaryKey(),
    /** Identifies the subscriber in links and keys, which must not contain an email address. */
    id: uuid().notNull().unique().defaultRandom(),
    state: text({ enum: ["pending", "confirmed"] }).notNull(),
    /** When the email address was last entered while the subscription was pending. */
    createdAt: timestamp({ withTimezone: true }).notNull(),
    confirmedAt: timestamp({ withTimezone: true }),
    /**
     * The hash of the token in the latest confirmation email. Only the recipient knows the token
     * itself.
     */
    tokenHash: text().unique(),
    tokenExpiresAt: timestamp({ withTimezone: true }),
  },
  (table) => [index("newsletter_subscribers_state").on(table.state, table.id)],
);
