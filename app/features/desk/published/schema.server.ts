import { integer, jsonb, pgTable, primaryKey, text, timestamp } from "drizzle-orm/pg-core";
import type { LogAction } from "../schema.server.ts";
import type { DraftFields } from "../write/model.ts";

/** What a story, post or event said after each change by an editor. */
export const deskVersions = pgTable(
  "desk_versions",
  {
    /** The kind of the item, such as "story". */
    kind: text().notNull(),
    /** The id of the item's row. */
    rowId: text("item").notNull(),
    number: integer().notNull(),
    /** All fields that an editor can change, so that this version can be published again. */
    fields: jsonb().$type<DraftFields>().notNull(),
    action: text().$type<LogAction>().notNull(),
    /** The email address and the name of the editor. Empty for what was there before. */
    editor: text().notNull(),
    editorName: text().notNull(),
    at: timestamp({ withTimezone: true }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.kind, table.rowId, table.number] })],
);
