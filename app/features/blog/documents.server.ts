import type { DocumentSource } from "../../platform/search-document.ts";
import { readOwnPosts } from "./backend/source.server.ts";
import { postPath } from "./paths.ts";
import { findStoredPost } from "./posts/posts.server.ts";

/** Our published posts for search. Posts of an external backend are not searched. */
export const postDocuments: DocumentSource = {
  async list(services) {
    const posts = await readOwnPosts(services);
    return posts.map(({ slug, blog, unreadVersion: version, ...post }) => ({
      id: `blog:${slug}`,
      kind: "blog",
      link: postPath(slug),
      title: post.metaTitle,
      summary: post.metaDescription,
      source: {
        format: "markdown",
        ...(version === undefined
          ? { text: blog }
          : { version, read: async () => (await findStoredPost(services.db, slug))?.blog ?? "" }),
      },
      keywords: [post.shortTailKeywords, post.longTailKeywords].filter(Boolean).join(", "),
      at: post.publishAt,
    }));
  },
};
