import { listFilePosts } from "../../../blog/posts/file-posts.server.ts";
import { blogPosts } from "../../../blog/schema.server.ts";
import type { ItemSource } from "../item-source.ts";
import { toFileName, toFileState } from "./find.server.ts";

/** The posts in files and in the database. A row with the slug of a file is never shown. */
export const postItems: ItemSource = {
  kind: "post",
  async list({ db, site, clock }) {
    const { slug, metaTitle, publishAt, state } = blogPosts;
    const rows = await db.select({ slug, metaTitle, publishAt, state }).from(blogPosts);
    const files = await listFilePosts({ db, site });
    const fileSlugs = new Set(files.map((file) => file.slug));
    const now = clock();
    const posts = [
      ...files.map((file) => ({ ...file, state: toFileState(file), from: toFileName(file.slug) })),
      ...rows
        .filter((row) => !fileSlugs.has(row.slug))
        .map((row) => ({ ...row, from: "From the database" })),
    ];
    return posts.map(({ slug: id, metaTitle: title, publishAt: at, state, from }) => ({
      kind: "post" as const,
      id,
      title,
      at,
      state,
      isPinned: false,
      from: state === "published" && at > now ? `${from}, scheduled` : from,
    }));
  },
};
