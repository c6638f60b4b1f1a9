import { blogFolder } from "../../../blog/files.server.ts";
import { listFilePosts } from "../../../blog/posts/file-posts.server.ts";
import { blogPosts } from "../../../blog/schema.server.ts";
import type { PublishedKind } from "../kind.ts";
import type { ItemState } from "../model.ts";

export const toFileName = (slug: string) => `${blogFolder.folder}/${slug}.md`;

type FileMarks = { isDraft: boolean; isDown: boolean };
export const toFileState = ({ isDraft, isDown }: FileMarks): ItemState =>
  isDown ? "down" : isDraft ? "draft" : "published";

/** The posts in files and in the database. A row with the slug of a file is never shown. */
export const listPosts: PublishedKind["list"] = async ({ db, site, clock }) => {
  const { slug, metaTitle, publishAt, state, draftId } = blogPosts;
  const rows = await db.select({ slug, metaTitle, publishAt, state, draftId }).from(blogPosts);
  const files = await listFilePosts({ db, site });
  const fileSlugs = new Set(files.map((file) => file.slug));
  const now = clock();
  const posts = [
    ...files.map((file) => ({ ...file, state: toFileState(file), from: toFileName(file.slug) })),
    ...rows
      .filter((row) => !fileSlugs.has(row.slug))
      .map((row) => ({ ...row, from: row.draftId ? "From the desk" : "From the terminal" })),
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
};
