import { date, index, integer, pgTable, text, timestamp, uuid } from "drizzle-orm/pg-core";
import { bytes } from "../../../../db/bytes.ts";

/**
 * Stories that readers have sent. One that is approved is shown; the others are seen by editors
 * only.
 */
export const storySubmissions = pgTable("story_submissions", {
  id: uuid().primaryKey().defaultRandom(),
  /** The same for a form that was sent twice. */
  key: text().notNull().unique(),
  title: text().notNull(),
  story: text().notNull(),
  /** To be printed with the story; gone when it is rejected. */
  name: text().notNull(),
  /** Whom to ask. Gone as soon as an editor has decided. */
  email: text().notNull(),
  state: text({ enum: ["waiting", "approved", "rejected"] }).notNull(),
  createdAt: timestamp({ withTimezone: true }).notNull(),
  decidedAt: timestamp({ withTimezone: true }),
  /**
   * What an approval gives: the address below /news/, which is never given to another story, the
   * shelf and the day.
   */
  slug: text().unique(),
  category: text(),
  day: date(),
});

/** Their pictures, as we made them anew: WebP without a word about camera, place or time. */
export const storyImages = pgTable(
  "story_images",
  {
    id: uuid().primaryKey().defaultRandom(),
    story: uuid()
      .notNull()
      .references(() => storySubmissions.id, { onDelete: "cascade" }),
    position: integer().notNull(),
    width: integer().notNull(),
    height: integer().notNull(),
    /** What it shows, in the reader's words or an editor's. */
    alt: text().notNull(),
    bytes: bytes().notNull(),
  },
  (table) => [index("story_images_story").on(table.story, table.position)],
);
