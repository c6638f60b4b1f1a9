import type { Database } from "../../../../db/database.ts";
import { localTimestamp } from "../../../lib/dates.ts";
import type { Services } from "../../../platform/services.ts";
import { describePost } from "../../blog/backend/load.server.ts";
import { ownDomain } from "../../blog/backend/source.server.ts";
import { blogFolder } from "../../blog/files.server.ts";
import { postPath } from "../../blog/paths.ts";
import { restoreImageUrls } from "../../blog/posts/image-paths.server.ts";
import { loadImageKey } from "../../blog/posts/images.server.ts";
import type { OwnPost } from "../../blog/posts/post.ts";
import { findAnyPost, listFilePosts, toPost } from "../../blog/posts/posts.server.ts";
import {
  findPostOfDraft,
  findPostRow,
  lockPost,
  namePostDraft,
  type PostRow,
  type PostToWrite,
  readPostFields,
  renamePost,
  writePost,
} from "../../blog/publish/desk-posts.server.ts";
import { changePost } from "../../blog/publish/publish.server.ts";
import { blogPosts } from "../../blog/schema.server.ts";
import { postTask } from "../../blog/tasks.server.ts";
import { siteSettingsFile } from "../../brand/files.server.ts";
import type { Editor } from "../files.server.ts";
import type { ItemState } from "../published/model.ts";
import type { LogAction } from "../schema.server.ts";
import type { WriteServices } from "../services.ts";
import { listImages, readDraftImages, showDeskImages } from "../write/images.server.ts";
import { deskImagePath, titleOf } from "../write/model.ts";
import { findArticleObstacles, toArticleFields, toDraftFields } from "./article.server.ts";
import type { DeskKind, ItemContent } from "./kind.ts";
import { recordPublication } from "./versions.server.ts";

const toFileName = (slug: string) => `${blogFolder.folder}/${slug}.md`;

const toState = ({ isDraft, isDown }: Pick<OwnPost, "isDraft" | "isDown">): ItemState =>
  isDown ? "down" : isDraft ? "draft" : "published";

/** Lists the posts in files and in the database. If both have the same slug, the file wins. */
export const listPosts: DeskKind["list"] = async ({ db, site, clock }) => {
  const { slug, metaTitle, publishAt, state, draftId } = blogPosts;
  const rows = await db.select({ slug, metaTitle, publishAt, state, draftId }).from(blogPosts);
  const files = await listFilePosts({ db, site });
  const fileSlugs = new Set(files.map((file) => file.slug));
  const now = clock();
  const posts = [
    ...files.map((file) => ({ ...file, state: toState(file), from: toFileName(file.slug) })),
    ...rows
      .filter((row) => !fileSlugs.has(row.slug))
      .map((row) => ({ ...row, from: row.draftId ? "From the desk" : "From the terminal" })),
  ];
  return posts.map(({ slug, metaTitle: title, publishAt: at, state, from }) => ({
    kind: "post" as const,
    slug,
    title,
    at,
    state,
    from: state === "published" && at > now ? `${from}, scheduled` : from,
  }));
};

export const postKind: DeskKind = {
  list: listPosts,
  /** If a file and a row have the same slug, readers see the file. */
  async find(services, slug) {
    const post = await findAnyPost(services, slug);
    if (!post) return null;
    const { metaTitle: title, metaDescription: excerpt, corrections, author, date, updated } = post;
    const state = toState(post);
    const { isFile, publishAt } = post;
    const isScheduled = state === "published" && publishAt > services.clock();
    return {
      kind: "post",
      slug,
      rowId: isFile ? null : post.id,
      file: isFile ? toFileName(slug) : null,
      title,
      excerpt,
      facts: [author.join(", ")],
      state,
      scheduledFor: isScheduled ? publishAt : undefined,
      corrections,
      dates: { date, updated: updated ?? null },
    };
  },
  async lock(_services, tx, rowId) {
    const row = isPostId(rowId) ? await lockPost(tx, Number(rowId)) : null;
    if (!row) return null;
    const { slug } = row;
    return {
      ...readContent(row),
      slug,
      nameDraft: () => namePostDraft(tx, row),
      setState: (state) => changePost(tx, slug, { state }),
      correct: (corrections) => changePost(tx, slug, { corrections }),
      rename: (newSlug) => renamePost(tx, row, newSlug),
    };
  },
  folder: blogFolder,

  async findOfDraft(db, draftId) {
    const row = await findPostOfDraft(db, draftId);
    return row && String(row.id);
  },

  async isOnSite({ db, clock }, rowId) {
    const row = await findPostRow(db, Number(rowId));
    return row?.state === "published" && row.publishAt <= clock();
  },

  findObstacles: (services, draft) => findArticleObstacles(services, draft, renderPostText),

  async prepare(services, draft, at) {
    const { editor } = services;
    return async (tx, { rowId, fields: typed, state, action }) => {
      const row = rowId === null ? null : await lockPost(tx, Number(rowId));
      const fields = toArticleFields(services, typed, at);
      const newImages = await readDraftImages(tx, draft);
      const post = { row, draftId: draft.id, fields, newImages, state };
      // A post that is only restored keeps the date on which readers will see it.
      const date = state && row ? row.publishAt : at;
      const { slug } = await publishPost(services, tx, { ...post, at: date, editor, action });
      return { kind: "published", path: postPath(slug) };
    };
  },

  async preview(services, draft) {
    const { site, db } = services;
    const { timeZone } = site.read(siteSettingsFile);
    const row = draft.rowId === null ? null : await findPostRow(db, Number(draft.rowId));
    const publishAt = row?.publishAt ?? draft.publishAt ?? services.clock();
    const fields = toArticleFields(services, draft.fields, publishAt);
    const [size = null] = await listImages(db, draft, [draft.fields.image]);
    const post = toPost({
      id: 0,
      domain: ownDomain(site),
      slug: draft.id,
      date: localTimestamp(publishAt, timeZone),
      pinterestImageLink: null,
      shortTailKeywords: null,
      longTailKeywords: null,
      youtubeShortsUrl: null,
      updated: null,
      state: "published",
      createdAt: publishAt,
      draftId: draft.id,
      ...row,
      publishAt,
      metaTitle: titleOf(draft.fields),
      metaDescription: fields.excerpt,
      blog: fields.text,
      author: fields.authors,
      corrections: fields.corrections,
      image: fields.image && size && { ...fields.image, ...size },
    });
    const shown = await describePost(services, {
      ...post,
      image: post.image && { ...post.image, file: deskImagePath(draft.fields.image) },
    });
    return {
      kind: "post",
      post: { ...shown, html: shown.html && showDeskImages(shown.html) },
      timeZone,
    };
  },
};

async function renderPostText({ db, site, runInWorker }: WriteServices, text: string) {
  const { origin } = site.read(siteSettingsFile);
  const outcome = await runInWorker(postTask, { text, origin, imageKey: await loadImageKey(db) });
  return outcome.kind === "done" ? restoreImageUrls(outcome.value) : "";
}

export const isPostId = (rowId: string) => /^\d{1,9}$/.test(rowId);

const readContent = (row: PostRow): ItemContent => ({
  fields: toDraftFields(readPostFields(row)),
  at: row.publishAt,
  state: row.state,
});

type Publication = PostToWrite & { editor: Editor; action?: LogAction | undefined };

export async function publishPost(
  services: Pick<Services, "site" | "clock">,
  tx: Database,
  { editor, action, ...written }: Publication,
): Promise<{ id: number; slug: string }> {
  const { row, fields } = written;
  const before = row && readContent(row);
  const post = await writePost(services, tx, written);
  const rowId = String(post.id);
  const change = { fields: toDraftFields(fields), before, action, at: services.clock(), editor };
  await recordPublication(tx, { kind: "post", rowId }, change);
  return post;
}
