import { boolean, integer, jsonb, pgTable, text, timestamp, uuid } from "drizzle-orm/pg-core";
import { bytes } from "../../../../db/column-types.ts";
import { contactMessages } from "../../contact/schema.server.ts";
import type { Before } from "./before.server.ts";

/**
 * Decisions that can still be undone, with the names, email addresses and texts that they deleted.
 * A row is deleted after ten minutes.
 */
export const deskUndos = pgTable("desk_undos", {
  id: uuid().primaryKey(),
  at: timestamp({ withTimezone: true }).notNull(),
  until: timestamp({ withTimezone: true }).notNull(),
  editor: text().notNull(),
  /** What the editor did, such as "Rejected 12 messages". */
  summary: text().notNull(),
  /** What the decision left out, and why. */
  note: text().notNull(),
  /** The path of the page that the decision published, or empty. */
  path: text("page").notNull(),
  before: jsonb().$type<Before>().notNull(),
  /** The keys of the emails to senders, which wait as long as the decision can be undone. */
  mailKeys: jsonb().$type<string[]>().notNull(),
});

/** Images that an editor left out when approving a story, as long as that can be undone. */
export const deskUndoImages = pgTable("desk_undo_images", {
  id: uuid().primaryKey(),
  undo: uuid()
    .notNull()
    .references(() => deskUndos.id, { onDelete: "cascade" }),
  story: uuid().notNull(),
  position: integer().notNull(),
  width: integer().notNull(),
  height: integer().notNull(),
  alt: text().notNull(),
  caption: text().notNull(),
  credit: text().notNull(),
  bytes: bytes().notNull(),
});

export const deskAnswers = pgTable("desk_answers", {
  id: uuid().primaryKey().defaultRandom(),
  message: uuid()
    .notNull()
    .references(() => contactMessages.id, { onDelete: "cascade" }),
  at: timestamp({ withTimezone: true }).notNull(),
  editorName: text().notNull(),
  text: text().notNull(),
  /** An answer that was undone is not sent, but its text is offered again. */
  isDraft: boolean().notNull(),
});
