import { index, integer, pgTable, text, timestamp } from "drizzle-orm/pg-core";
import { bytes } from "../../../db/column-types.ts";

/**
 * Posts of every domain in the network. Posts that are files in the city folder are not stored
 * here.
 */
export const blogPosts = pgTable(
  "blog_posts",
  {
    id: integer().primaryKey().generatedAlwaysAsIdentity(),
    domain: text().notNull(),
    slug: text().notNull().unique(),
    metaTitle: text().notNull(),
    metaDescription: text().notNull(),
    /** The date as the author wrote it: a calendar day or an instant. */
    date: text().notNull(),
    /** The instant at which readers can first see the post. Lists are sorted by it. */
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
    // "order by … desc" sorts nulls first. If the index had a different order, Postgres could not
    // use it for sorting.
    index("blog_posts_newest").on(
      table.domain,
      table.state,
      table.publishAt.desc().nullsFirst(),
      table.id.desc().nullsFirst(),
    ),
  ],
);

/**
 * External images of posts, fetched once for all readers and all nodes. A row without bytes is an
 * image that could not be fetched.
 */
export const blogImages = pgTable("blog_images", {
  url: text().primaryKey(),
  type: text(),
  bytes: bytes(),
  fetchedAt: timestamp({ withTimezone: true }).notNull(),
});
