import { pgTable, text, timestamp, uuid } from "drizzle-orm/pg-core";

/** What readers wrote to the newsroom. */
export const contactMessages = pgTable("contact_messages", {
  id: uuid().primaryKey().defaultRandom(),
  /** The same for a form that was sent twice. */
  key: text().notNull().unique(),
  category: text().notNull(),
  name: text().notNull(),
  email: text().notNull(),
  message: text().notNull(),
  state: text({ enum: ["new", "done"] }).notNull(),
  createdAt: timestamp({ withTimezone: true }).notNull(),
  doneAt: timestamp({ withTimezone: true }),
});
