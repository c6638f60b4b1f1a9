import { pgTable, text, timestamp, uuid } from "drizzle-orm/pg-core";

/** Stories that readers have sent. They wait for an editor and are shown nowhere by themselves. */
export const storySubmissions = pgTable("story_submissions", {
  id: uuid().primaryKey().defaultRandom(),
  /** The same for a form that was sent twice. */
  key: text().notNull().unique(),
  title: text().notNull(),
  story: text().notNull(),
  name: text().notNull(),
  email: text().notNull(),
  state: text({ enum: ["waiting", "accepted"] }).notNull(),
  createdAt: timestamp({ withTimezone: true }).notNull(),
});
