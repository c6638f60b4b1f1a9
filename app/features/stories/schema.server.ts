import {
  boolean,
  date,
  index,
  integer,
  jsonb,
  pgTable,
  text,
  timestamp,
  uuid,
} from "drizzle-orm/pg-core";
import { bytes } from "../../../db/column-types.ts";
import type { Correction } from "../../site-files/article-fields.server.ts";

/** Stories that readers sent or editors wrote at the desk. */
export const storySubmissions = pgTable(
  "story_submissions",
  {
    id: uuid().primaryKey().defaultRandom(),
    /** The key is the same if a form is sent twice, so that the story is stored only once. */
    key: text().notNull().unique(),
    title: text().notNull(),
    /** Plain text from a reader, Markdown from the desk. */
    text: text().notNull(),
    writtenBy: text({ enum: ["reader", "desk"] })
      .notNull()
      .default("reader"),
    /** The reader's name: published with the story, and deleted when an editor rejects it. */
    name: text().notNull(),
    /** For questions, and for one email about the decision. Deleted with the decision. */
    email: text().notNull(),
    /**
     * Only "approved" stories are on the site. An editor may publish a story that is "down" (taken
     * down) again. A "draft" was on the site and is edited before readers see it again.
     */
    state: text({ enum: ["waiting", "approved", "rejected", "down", "draft"] }).notNull(),
    createdAt: timestamp({ withTimezone: true }).notNull(),
    /**
     * When an editor last decided about it or changed it. An undo leaves alone what has a later
     * time, and otherwise restores all columns. So a change that does not set this time, such as a
     * pin, needs an exception in `restoreStories`, unless it cannot concern a story that waited.
     */
    decidedAt: timestamp({ withTimezone: true }),
    /** The last part of the path /news/<slug>. Null until the story is approved. */
    slug: text().unique(),
    category: text(),
    /** The day of the first approval, in the city's time zone. */
    day: date(),
    /** The moment of the first approval. */
    publishedAt: timestamp({ withTimezone: true }),
    /** The authors of a story of the desk. The author of a reader's story is `name`. */
    authors: jsonb().$type<string[]>().notNull().default([]),
    /** Empty for a reader's story, which is shown with the beginning of its text. */
    excerpt: text().notNull().default(""),
    /** The rendered Markdown. Empty for plain text. */
    html: text().notNull().default(""),
    /** The last change of a published text that readers should know about. */
    updatedAt: timestamp({ withTimezone: true }),
    corrections: jsonb().$type<Correction[]>().notNull().default([]),
    isPinned: boolean().notNull().default(false),
    /** True while editors add entries, false when the story is over, null for an ordinary story. */
    live: boolean(),
    /**
     * A hash of the visitor who sent it, which differs every day. Deleted after an approval, as soon
     * as no story, event or message of this visitor waits.
     */
    visitorHash: text().notNull().default(""),
    /**
     * What an editor had typed, by field, when a decision was undone. Null after the next decision.
     */
    typed: jsonb().$type<Record<string, string>>(),
  },
  (table) => [index("story_submissions_newest").on(table.state, table.publishedAt, table.slug)],
);

export type StoryRow = typeof storySubmissions.$inferSelect;

/** The states of the stories that the desk lists under "Published". */
export const publishedListStates: StoryRow["state"][] = ["approved", "down", "draft"];

/** Images of the stories above, re-encoded as WebP without metadata about camera, place or time. */
export const storyImages = pgTable(
  "story_images",
  {
    id: uuid().primaryKey().defaultRandom(),
    storyId: uuid("story")
      .notNull()
      .references(() => storySubmissions.id, { onDelete: "cascade" }),
    /**
     * In a story of the desk, the image above the text is at 0, and those in the text follow.
     * Images of earlier versions are at -1, where readers cannot open them.
     */
    position: integer().notNull(),
    width: integer().notNull(),
    height: integer().notNull(),
    alt: text().notNull(),
    caption: text().notNull().default(""),
    credit: text().notNull().default(""),
    bytes: bytes().notNull(),
  },
  (table) => [index("story_images_story").on(table.storyId, table.position)],
);

/**
 * Every story that was ever on the site, so that the URL of a removed story answers 410, and the
 * title of a missing one leads to its new path.
 */
export const rememberedStories = pgTable("remembered_stories", {
  slug: text().primaryKey(),
  title: text().notNull(),
  /** When the site first noticed that the story was published. */
  noticedAt: timestamp({ withTimezone: true }).notNull(),
});

/** Stories for which the newsroom has ended earlier preview links. */
export const storyPreviews = pgTable("story_previews", {
  id: text().primaryKey(),
  /** Part of the signature of a link, so that links of other generations are refused. */
  generation: integer().notNull(),
});
