import { eq } from "drizzle-orm";
import { blogFolder } from "../../../blog/files.server.ts";
import { listFilePosts } from "../../../blog/posts/file-posts.server.ts";
import { toPost } from "../../../blog/posts/posts.server.ts";
import {
  lockPost,
  postFields,
  readPostFields,
  renamePost,
} from "../../../blog/publish/desk-posts.server.ts";
import { addCorrection, changePost } from "../../../blog/publish/publish.server.ts";
import { blogPosts } from "../../../blog/schema.server.ts";
import { addFileCorrection, changeFileNote } from "../../../file-notes/notes.server.ts";
import type { PublishedKind } from "../kind.ts";
import { publishPost } from "../publish.server.ts";
import { listPosts, toFileName, toFileState } from "./items.server.ts";

export const postKind: PublishedKind = {
  list: listPosts,
  /** A row with the slug of a file is never shown. */
  async find(services, id) {
    const file = (await listFilePosts(services)).find(({ slug }) => slug === id);
    const [row] = file
      ? []
      : await services.db.select().from(blogPosts).where(eq(blogPosts.slug, id));
    const post = file ?? (row && toPost(row));
    if (!post) return null;
    const { metaTitle: title, metaDescription: excerpt, corrections, author, date, updated } = post;
    return {
      kind: "post",
      id,
      rowId: row ? String(row.id) : null,
      file: file ? toFileName(id) : null,
      title,
      excerpt,
      facts: [author.join(", ")],
      state: row?.state ?? (file ? toFileState(file) : "published"),
      isPinned: false,
      isPinnedByFile: false,
      corrections,
      dates: { date, updated: updated ?? null },
      deletedAt: null,
    };
  },
  async lock(_services, tx, { id: slug, rowId, corrections }) {
    if (rowId === null)
      return {
        corrections: corrections ?? [],
        setState: (state) => changeFileNote(tx, "post", slug, { isDown: state === "down" }),
        async correct(correction) {
          await addFileCorrection(tx, "post", slug, correction);
          return null;
        },
      };
    const row = await lockPost(tx, Number(rowId));
    if (row?.slug !== slug) return null;
    return {
      corrections: row.corrections,
      async setState(state) {
        await changePost(tx, slug, { state });
      },
      async correct(correction) {
        await addCorrection(tx, slug, correction);
        return { fields: readPostFields(row), at: row.publishAt };
      },
      rename: (newSlug) => renamePost(tx, row, newSlug),
    };
  },
  folder: blogFolder,
  showVersion(stored) {
    const { title, excerpt, text, authors } = postFields.parse(stored);
    return { title, excerpt, text, facts: authors };
  },
  async restore(services, rowId, stored, { action, editor }) {
    const version = postFields.parse(stored);
    return services.db.transaction(async (tx) => {
      const row = await lockPost(tx, Number(rowId));
      if (!row) return "Somebody has deleted this post.";
      const { corrections, publishAt: at, state } = row;
      const fields = { ...version, corrections };
      await publishPost(services, tx, { row, fields, at, editor, state }, action);
      return null;
    });
  },
};
