import { integer, pgTable, text, timestamp } from "drizzle-orm/pg-core";

/**
 * Every story that was ever on the site, so that the URL of a removed story answers 410, and the
 * title of a missing one leads to its new path.
 */
export const publishedStories = pgTable("published_stories", {
  id: text().primaryKey(),
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
