import { index, integer, jsonb, pgTable, text, timestamp, uuid } from "drizzle-orm/pg-core";

/** The emails to be sent, and those that were sent recently. */
export const mails = pgTable(
  "mails",
  {
    id: uuid().primaryKey().defaultRandom(),
    /** What the email is about, such as "story:<id>", so that it is queued only once. */
    key: text().notNull().unique(),
    recipient: text().notNull(),
    subject: text().notNull(),
    text: text().notNull(),
    html: text(),
    /**
     * The template that renders the email when it is sent: see `MailTemplate`. Null if the text is
     * stored in this row.
     */
    template: text(),
    /** The id of what the template renders the email for, such as a subscriber. */
    about: uuid(),
    headers: jsonb().$type<Record<string, string>>().notNull(),
    state: text({
      enum: ["waiting", "sending", "sent", "refused", "bounced", "unclear"],
    }).notNull(),
    attempts: integer().notNull(),
    /** The email is not sent before this instant. */
    dueAt: timestamp({ withTimezone: true }).notNull(),
    createdAt: timestamp({ withTimezone: true }).notNull(),
    /** When the email was sent, or when we gave up. */
    doneAt: timestamp({ withTimezone: true }),
    /** Until this instant, the email is reserved for the process that sends it. */
    claimedUntil: timestamp({ withTimezone: true }),
    error: text(),
  },
  (table) => [
    index("mails_due").on(table.state, table.dueAt),
    index("mails_template").on(table.template, table.dueAt),
    index("mails_recipient").on(table.recipient),
  ],
);
