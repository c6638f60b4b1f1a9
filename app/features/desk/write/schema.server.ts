import { integer, pgTable, timestamp, uuid } from "drizzle-orm/pg-core";
import { bytes } from "../../../../db/column-types.ts";

/** Images of drafts, re-encoded as WebP. Publishing a draft copies those that it shows. */
export const deskImages = pgTable("desk_images", {
  id: uuid().primaryKey().defaultRandom(),
  draftId: uuid("draft"),
  width: integer().notNull(),
  height: integer().notNull(),
  bytes: bytes().notNull(),
  createdAt: timestamp({ withTimezone: true }).notNull(),
});
