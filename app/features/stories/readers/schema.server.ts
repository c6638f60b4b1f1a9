import { date, index, integer, pgTable, text, timestamp, uuid } from "drizzle-orm/pg-core";
import { bytes } from "../../../../db/column-types.ts";

/**
 * Stories that readers sent. Approved stories are on the site; only editors see the others.
 */
export const storySubmissions = pgTable(
  "story_submissions",
  {
    id: uuid().primaryKey().defaultRandom(),
    /** The key is the same if a form is sent twice, so that the story is stored only once. */
    key: text().notNull().unique(),
    title: text().notNull(),
    text: text("story").notNull(),
    /** The reader's name: published with the story, and deleted when an editor rejects it. */
    name: text().notNull(),
    /** For questions and one email about the decision, with which it is deleted. */
    email: text().notNull(),
    state: text({ enum: ["waiting", "approved", "rejected"] }).notNull(),
    createdAt: timestamp({ withTimezone: true }).notNull(),
    decidedAt: timestamp({ withTimezone: true }),
    /**
     * The last part of the path /news/<slug>. It is null until the story is approved, and unique.
     */
    slug: text().unique(),
    /** Null until the story is approved. */
    category: text(),
    /** The day of the first approval, in the city's time zone. */
    day: date(),
    /** The moment of the first approval. */
    publishedAt: timestamp({ withTimezone: true }),
    /** A hash of the sender's network, which differs every day. Empty after an approval. */
    network: text().notNull().default(""),
  },
  (table) => [index("story_submissions_newest").on(table.state, table.publishedAt, table.slug)],
);

/** Images of readers' stories, re-encoded as WebP without metadata about camera, place or time. */
export const storyImages = pgTable(
  "story_images",
  {
    id: uuid().primaryKey().defaultRandom(),
    storyId: uuid("story")
      .notNull()
      .references(() => storySubmissions.id, { onDelete: "cascade" }),
    position: integer().notNull(),
    width: integer().notNull(),
    height: integer().notNull(),
    /** The image description, written by the reader or an editor. */
    alt: text().notNull(),
    bytes: bytes().notNull(),
  },
  (table) => [index("story_images_story").on(table.storyId, table.position)],
);
