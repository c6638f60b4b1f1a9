import type { DocumentSource, SearchDocument } from "../../platform/search-document.ts";
import { postPath } from "./paths.ts";
import {
  listSearchablePosts,
  readSearchablePosts,
  type SearchablePost,
} from "./posts/published.server.ts";

const batchSize = 50;
const toId = (slug: string) => `blog:${slug}`;
const toSlug = (id: string) => id.slice(toId("").length);

const toDocument = (post: SearchablePost): SearchDocument => ({
  id: toId(post.slug),
  kind: "blog",
  link: postPath(post.slug),
  title: post.metaTitle,
  summary: post.metaDescription,
  source: { format: "markdown", text: post.blog },
  keywords: [post.shortTailKeywords, post.longTailKeywords].filter(Boolean).join(", "),
  at: post.publishAt,
});

export const postDocuments: DocumentSource = {
  list: async (services) => (await listSearchablePosts(services)).files.map(toDocument),
  stored: {
    batchSize,
    async versions(services) {
      const { rows } = await listSearchablePosts(services);
      return rows.map(({ slug, version }) => ({ id: toId(slug), version: `typeset ${version}` }));
    },
    read: async ({ db }, ids) => (await readSearchablePosts(db, ids.map(toSlug))).map(toDocument),
  },
};
