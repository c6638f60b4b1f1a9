import { index, integer, jsonb, pgTable, text, timestamp, uuid } from "drizzle-orm/pg-core";

/**
 * The queue of emails: what is to be sent, and what was sent recently. The sender only processes
 * these rows.
 */
export const mails = pgTable(
  "mails",
  {
    id: uuid().primaryKey().defaultRandom(),
    /**
     * Identifies what the email is about, such as "contact:<id>", so that the same email is queued
     * only once.
     */
    key: text().notNull().unique(),
    recipient: text().notNull(),
    subject: text().notNull(),
    text: text().notNull(),
    html: text(),
    /**
     * The template that renders the email when it is sent. For emails with a secret, which must not
     * be stored, and for emails with the same text to thousands of subscribers.
     */
    template: text(),
    /** The id of the record that a template's mail is about, such as a subscriber. */
    about: uuid(),
    headers: jsonb().$type<Record<string, string>>().notNull(),
    state: text({
      enum: ["waiting", "sending", "sent", "refused", "bounced", "unclear"],
    }).notNull(),
    attempts: integer().notNull(),
    /** The email is not sent before then. */
    dueAt: timestamp({ withTimezone: true }).notNull(),
    createdAt: timestamp({ withTimezone: true }).notNull(),
    /** When the email was sent, or when we gave up. */
    doneAt: timestamp({ withTimezone: true }),
    /** Until then, the email is reserved by the process that sends it. */
    claimedUntil: timestamp({ withTimezone: true }),
    /** Why the last attempt failed. */
    fault: text(),
  },
  (table) => [
    index("mails_due").on(table.state, table.dueAt),
    index("mails_template").on(table.template, table.dueAt),
    index("mails_recipient").on(table.recipient),
  ],
);
