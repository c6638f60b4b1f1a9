import type { blogPosts } from "../../app/features/blog/schema.server.ts";

/**
 * A post of the sample city that appears at this instant, so that the newsletter after it has
 * something to say.
 */
export const newPost = (date: string): typeof blogPosts.$inferInsert => ({
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
