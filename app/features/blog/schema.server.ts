import { index, integer, pgTable, text, timestamp } from "drizzle-orm/pg-core";
import { bytes } from "../../../db/bytes.ts";

/**
 * Posts of every domain of the network. Those that are files in the city's folder are not in here.
 */
export const blogPosts = pgTable(
  "blog_posts",
  {
    id: integer().primaryKey().generatedAlwaysAsIdentity(),
    domain: text().notNull(),
    slug: text().notNull().unique(),
    metaTitle: text().notNull(),
    metaDescription: text().notNull(),
    /** As it was given: a day of the calendar or an instant. */
    date: text().notNull(),
    /** The instant from which readers see it, and by which posts are ordered. */
    publishAt: timestamp({ withTimezone: true }).notNull(),
    pinterestImageLink: text(),
    blog: text().notNull(),
    shortTailKeywords: text(),
    longTailKeywords: text(),
    youtubeShortsUrl: text(),
    state: text({ enum: ["published", "draft"] }).notNull(),
    createdAt: timestamp({ withTimezone: true }).notNull(),
  },
  (table) => [
    // Nulls first, as "order by … desc" has it: in another order the index would be of no use for
    // sorting.
    index("blog_posts_newest").on(
      table.domain,
      table.state,
      table.publishAt.desc().nullsFirst(),
      table.id.desc().nullsFirst(),
    ),
  ],
);

/**
 * Outside pictures of posts, fetched once for all readers and all nodes. Without bytes: it could
 * not be had.
 */
export const blogImages = pgTable("blog_images", {
  url: text().primaryKey(),
  type: text(),
  bytes: bytes(),
  fetchedAt: timestamp({ withTimezone: true }).notNull(),
});
