import { jsonb, pgTable, text, timestamp, uuid } from "drizzle-orm/pg-core";
import type { SubmissionRef } from "../../forms/notify-newsroom.server.ts";

/** The emails to the editors about what readers sent. Each goes to all editors. */
export const deskMails = pgTable("desk_mails", {
  id: uuid().primaryKey().defaultRandom(),
  /** There is one email per key, such as "story:<id>" or "summary:2026-11-18". */
  key: text().notNull().unique(),
  /** What the email shows, oldest first. Its text and its images stay where they are stored. */
  submissions: jsonb().$type<SubmissionRef[]>().notNull(),
  createdAt: timestamp({ withTimezone: true }).notNull(),
  /** When an editor's copy was first rendered. From then on, nothing is added. */
  renderedAt: timestamp({ withTimezone: true }),
});
