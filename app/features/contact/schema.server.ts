import { jsonb, pgTable, text, timestamp, uuid } from "drizzle-orm/pg-core";
import type { Topic } from "./model.ts";

export const contactMessages = pgTable("contact_messages", {
  id: uuid().primaryKey().defaultRandom(),
  /** The key is the same if a form is sent twice, so that the message is stored only once. */
  key: text().notNull().unique(),
  category: text().notNull(),
  name: text().notNull(),
  email: text().notNull(),
  message: text().notNull(),
  topic: jsonb().$type<Topic>(),
  /** Editors put messages that are not worth an answer, such as spam, into the bin: "rejected". */
  state: text({ enum: ["waiting", "done", "rejected"] }).notNull(),
  createdAt: timestamp({ withTimezone: true }).notNull(),
  /** When an editor was done with the message, or rejected it. */
  decidedAt: timestamp({ withTimezone: true }),
  /** A hash of the visitor, which differs every day. Empty for a news tip. */
  visitorHash: text().notNull().default(""),
});
