import { index, integer, jsonb, pgTable, text, timestamp, uuid } from "drizzle-orm/pg-core";
import { bytes } from "../../../../db/column-types.ts";
import { itemKinds } from "../published/model.ts";
import type { DraftFields } from "./model.ts";

/**
 * What editors write at the desk and readers do not see yet. It is deleted when it is published.
 */
export const deskDrafts = pgTable(
  "desk_drafts",
  {
    id: uuid().primaryKey().defaultRandom(),
    kind: text({ enum: itemKinds }).notNull(),
    /** The id of the row of the item that the draft changes. Null for a new one. */
    rowId: text("item").unique(),
    /** Everything that the editor typed, also if it is not complete. */
    fields: jsonb().$type<DraftFields>().notNull(),
    /** Grows with each save. A save must name the revision that it changes. */
    revision: integer().notNull(),
    /** The email address and the name of the editor who saved or scheduled it last. */
    editor: text().notNull(),
    editorName: text().notNull(),
    createdAt: timestamp({ withTimezone: true }).notNull(),
    updatedAt: timestamp({ withTimezone: true }).notNull(),
    /** When it will be published. Null for a draft without a date. */
    publishAt: timestamp({ withTimezone: true }),
    /** The editor who has it open, and when the page of the editor last said so. */
    openBy: text().notNull(),
    openName: text().notNull(),
    openAt: timestamp({ withTimezone: true }).notNull(),
  },
  (table) => [index("desk_drafts_due").on(table.publishAt)],
);

export type Draft = typeof deskDrafts.$inferSelect;

/**
 * The images of drafts, re-encoded as WebP without metadata about camera, place or time. Publishing
 * a draft copies the images that it shows.
 */
export const deskImages = pgTable(
  "desk_images",
  {
    /** The editor's browser chooses it, so that a text can name an image that is not sent yet. */
    id: uuid().primaryKey().defaultRandom(),
    draftId: uuid("draft").references(() => deskDrafts.id, { onDelete: "cascade" }),
    width: integer().notNull(),
    height: integer().notNull(),
    bytes: bytes().notNull(),
    createdAt: timestamp({ withTimezone: true }).notNull(),
  },
  (table) => [index("desk_images_draft").on(table.draftId)],
);
