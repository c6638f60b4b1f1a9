import type { blogPosts } from "../../app/features/blog/schema.server.ts";

/**
 * Returns a post of the sample city that is published at this time, so that the next newsletter
 * issue has content.
 */
export const createPost = (date: string): typeof blogPosts.$inferInsert => ({
  domain: "baltimore.harborline.example",
  slug: "a-new-post",
  metaTitle: "A New Post",
  metaDescription: "It is new.",
  date,
  publishAt: new Date(date),
  blog: "Words.",
  state: "published",
  createdAt: new Date(date),
});
