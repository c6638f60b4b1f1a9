import { pgTable, text, timestamp, uuid } from "drizzle-orm/pg-core";

/** Messages from the contact form. */
export const contactMessages = pgTable("contact_messages", {
  id: uuid().primaryKey().defaultRandom(),
  /** The key is the same if a form is sent twice, so that the message is stored only once. */
  key: text().notNull().unique(),
  category: text().notNull(),
  name: text().notNull(),
  email: text().notNull(),
  message: text().notNull(),
  state: text({ enum: ["new", "done"] }).notNull(),
  createdAt: timestamp({ withTimezone: true }).notNull(),
  doneAt: timestamp({ withTimezone: true }),
});
