import { index, integer, jsonb, pgTable, text, timestamp, uuid } from "drizzle-orm/pg-core";

/**
 * Mails on their way: the record of what is to be sent and what was. Sending only sweeps up what
 * stands here.
 */
export const mails = pgTable(
  "mails",
  {
    id: uuid().primaryKey().defaultRandom(),
    /**
     * Says what the mail is about, such as "contact:<id>": the same mail is written once, however
     * often it is asked for.
     */
    key: text().notNull().unique(),
    recipient: text().notNull(),
    subject: text().notNull(),
    text: text().notNull(),
    html: text(),
    /**
     * Names who writes the words when the mail is sent. For mails that hold a secret, which must
     * not be stored, and for those that go to thousands, which are stored once.
     */
    template: text(),
    /** Whom a template's mail is about. */
    about: uuid(),
    headers: jsonb().$type<Record<string, string>>().notNull(),
    state: text({
      enum: ["waiting", "sending", "sent", "refused", "bounced", "unclear"],
    }).notNull(),
    attempts: integer().notNull(),
    /** Not before then. */
    dueAt: timestamp({ withTimezone: true }).notNull(),
    createdAt: timestamp({ withTimezone: true }).notNull(),
    /** When it was sent, or given up. */
    doneAt: timestamp({ withTimezone: true }),
    /** Somebody is at it until then. */
    claimedUntil: timestamp({ withTimezone: true }),
    fault: text(),
  },
  (table) => [
    index("mails_due").on(table.state, table.dueAt),
    index("mails_template").on(table.template, table.dueAt),
    index("mails_recipient").on(table.recipient),
  ],
);
