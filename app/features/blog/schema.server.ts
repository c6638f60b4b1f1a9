import {
  boolean,
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

/** The image above the text of a post that was written at the desk: a row of `postImages`. */
export type StoredImage = {
  id: string;
  width: number;
  height: number;
  alt: string;
  caption: string | null;
  credit: string | null;
};

/** Posts of every domain in the network. Posts in files are not stored here. */
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
    author: jsonb().$type<string[]>().notNull().default([]),
    /** The date of the last update and of each correction, as they were written. */
    updated: text(),
    corrections: jsonb().$type<Correction[]>().notNull().default([]),
    image: jsonb().$type<StoredImage>(),
    /** "down": an editor took the post down. Its page says that it is gone. */
    state: text({ enum: ["published", "draft", "down"] }).notNull(),
    createdAt: timestamp({ withTimezone: true }).notNull(),
    /** The id of all its drafts at the desk. Null if it never had one. */
    draftId: uuid("draft").unique(),
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

/** Images of posts that were written at the desk. Readers get them at /pictures/<id>.webp. */
export const postImages = pgTable(
  "post_images",
  {
    id: uuid().primaryKey(),
    postId: integer("post")
      .notNull()
      .references(() => blogPosts.id, { onDelete: "cascade" }),
    width: integer().notNull(),
    height: integer().notNull(),
    bytes: bytes().notNull(),
    /** False if only an earlier version of the post has the image. */
    isShown: boolean().notNull(),
  },
  (table) => [index("post_images_post").on(table.postId)],
);

/**
 * External images of posts, fetched once for all readers. A row without bytes is an image that
 * could not be fetched.
 */
export const blogImages = pgTable("blog_images", {
  url: text().primaryKey(),
  type: text(),
  bytes: bytes(),
  fetchedAt: timestamp({ withTimezone: true }).notNull(),
});
