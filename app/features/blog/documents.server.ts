import type { DocumentSource, SearchDocument } from "../../platform/search-document.ts";
import { type PostText, postTexts, searchablePosts } from "./posts/kept.server.ts";

const postsAtOnce = 50;
const idOf = (slug: string) => `blog:${slug}`;
const slugOf = (id: string) => id.slice(idOf("").length);

const documentOf = (post: PostText): SearchDocument => ({
  id: idOf(post.slug),
  kind: "blog",
  link: `/blog/${post.slug}`,
  title: post.metaTitle,
  summary: post.metaDescription,
  source: { format: "markdown", text: post.blog },
  keywords: [post.shortTailKeywords, post.longTailKeywords].filter(Boolean).join(", "),
  at: post.publishAt,
});

export const postDocuments: DocumentSource = {
  list: async (services) => (await searchablePosts(services)).files.map(documentOf),
  stored: {
    atOnce: postsAtOnce,
    async versions(services) {
      const { rows } = await searchablePosts(services);
      return rows.map(({ slug, version }) => ({ id: idOf(slug), version: `row ${version}` }));
    },
    read: async ({ db }, ids) => (await postTexts(db, ids.map(slugOf))).map(documentOf),
  },
};
