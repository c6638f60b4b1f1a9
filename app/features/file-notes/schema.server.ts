import { boolean, jsonb, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import type { Correction } from "../../site-files/article-fields.server.ts";

/**
 * What editors decided at the desk about a file or an imported event. The file or the calendar
 * stays the record of its content.
 */
export const fileNotes = pgTable(
  "desk_file_notes",
  {
    kind: text({ enum: ["story", "post", "event"] }).notNull(),
    /** The name of the file without .md, or the id of the imported event. */
    id: text().notNull(),
    /** Whether the item is taken down. It stays down when the file or the calendar changes. */
    isDown: boolean().notNull().default(false),
    /** Whether an editor pinned the story to the front page. */
    isPinned: boolean().notNull().default(false),
    /** Corrections by editors. Readers see them together with those in the file. */
    corrections: jsonb().$type<Correction[]>().notNull().default([]),
  },
  (table) => [primaryKey({ columns: [table.kind, table.id] })],
);
