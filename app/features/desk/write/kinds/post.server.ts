import { localTimestamp } from "../../../../lib/dates.ts";
import { describePost } from "../../../blog/backend/load.server.ts";
import { ownDomain } from "../../../blog/backend/source.server.ts";
import { postPath } from "../../../blog/paths.ts";
import { toPost } from "../../../blog/posts/posts.server.ts";
import {
  findPostOfDraft,
  findPostRow,
  lockPost,
  openPost,
  readPostFields,
} from "../../../blog/publish/desk-posts.server.ts";
import { siteSettingsFile } from "../../../brand/files.server.ts";
import { publishPost } from "../../published/publish.server.ts";
import { listImages, readDraftImages, showDraftImages } from "../images.server.ts";
import { draftImagePath, titleOf } from "../model.ts";
import { findMissingParts, toArticleFields, toDraftFields } from "./article.server.ts";
import type { DraftKind } from "./kind.ts";

/** The id of a post in the database. */
const isPostId = (item: string) => /^\d{1,9}$/.test(item);

export const postDrafts: DraftKind = {
  async open(_services, tx, item) {
    const row = isPostId(item) ? await openPost(tx, Number(item)) : null;
    return row && { id: row.draftId, fields: toDraftFields(readPostFields(row)) };
  },

  async findItem(db, draftId) {
    const row = await findPostOfDraft(db, draftId);
    return row && String(row.id);
  },

  async isOnSite({ db, clock }, item) {
    const row = await findPostRow(db, Number(item));
    return row?.state === "published" && row.publishAt <= clock();
  },

  findMissing: findMissingParts,

  async prepare(services, draft, at, editor) {
    const fields = toArticleFields(services, draft.fields, at);
    return async (tx, item) => {
      const row = item === null ? null : await lockPost(tx, Number(item));
      const newImages = await readDraftImages(tx, draft);
      const publication = { row, draftId: draft.id, fields, at, newImages, editor };
      const { slug } = await publishPost(services, tx, publication);
      return { kind: "published", path: postPath(slug) };
    };
  },

  async preview(services, draft) {
    const { site, db } = services;
    const { timeZone } = site.read(siteSettingsFile);
    const row = draft.item === null ? null : await findPostRow(db, Number(draft.item));
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
      image: post.image && { ...post.image, file: draftImagePath(draft.fields.image) },
    });
    return {
      kind: "post",
      post: { ...shown, html: shown.html && showDraftImages(shown.html) },
      timeZone,
    };
  },
};
