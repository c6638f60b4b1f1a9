import { integer, jsonb, pgTable, primaryKey, text, timestamp, uuid } from "drizzle-orm/pg-core";
import type { SubmissionRef } from "./model.ts";

/**
 * How often something was done within an hour: a form sent, a link for signing in requested, the
 * newsroom emailed about a submission. By whom is stored as a hash that even we cannot trace back
 * after two days.
 */
export const hourCounts = pgTable(
  "hour_counts",
  {
    what: text().notNull(),
    whomHash: text().notNull(),
    hour: timestamp({ withTimezone: true }).notNull(),
    count: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.what, table.whomHash, table.hour] })],
);

/**
 * The emails to all editors of the desk, about submissions or what waits. Each editor gets a copy, a
 * row of `mails`.
 */
export const deskMailings = pgTable("desk_mailings", {
  id: uuid().primaryKey().defaultRandom(),
  /** There is one mailing per key, such as "story:<id>" or "summary:2026-11-18". */
  key: text().notNull().unique(),
  /** What it shows, oldest first. Its text and its images stay where they are stored. */
  submissions: jsonb().$type<SubmissionRef[]>().notNull(),
  createdAt: timestamp({ withTimezone: true }).notNull(),
  /** When an editor's copy was first rendered. From then on, nothing is added. */
  renderedAt: timestamp({ withTimezone: true }),
});
