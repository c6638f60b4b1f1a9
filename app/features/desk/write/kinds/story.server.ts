import { calendarDay } from "../../../../lib/dates.ts";
import type { Services } from "../../../../platform/services.ts";
import { noPhoto } from "../../../../site-files/site-fields.server.ts";
import { siteSettingsFile } from "../../../brand/files.server.ts";
import { renderStoryText } from "../../../stories/desk/render.server.ts";
import {
  findStoryRow,
  lockStory,
  readFields,
  type StoryFields,
} from "../../../stories/desk/rows.server.ts";
import { submitStoryFile } from "../../../stories/files.server.ts";
import type { StoryRow } from "../../../stories/readers/schema.server.ts";
import { recordFromRow } from "../../../stories/record.server.ts";
import { readStoryPage } from "../../../stories/story-page.server.ts";
import { publishStory } from "../../published/publish.server.ts";
import { isUuid } from "../../waiting/model.ts";
import { listImages, readDraftImages, showDraftImages } from "../images.server.ts";
import { type DraftFields, draftImagePath, titleOf } from "../model.ts";
import { findMissingParts, toArticleFields, toDraftFields } from "./article.server.ts";
import type { DraftKind } from "./kind.ts";

const toStoryFields = (
  services: Pick<Services, "site">,
  fields: DraftFields,
  row: StoryRow | null,
  at: Date,
): StoryFields => ({
  ...toArticleFields(services, fields, at),
  category: fields.category.trim(),
  isPinned: fields.isPinned,
  // A story that was live says that it is over.
  live: fields.isLive || (row?.live == null ? null : false),
});

export const storyDrafts: DraftKind = {
  async open(_services, tx, item) {
    const row = isUuid(item) ? await lockStory(tx, item) : null;
    if (!row) return null;
    const { live, ...fields } = await readFields(tx, row);
    return { id: row.id, fields: { ...toDraftFields(fields), isLive: live === true } };
  },

  findItem: async (db, draftId) => (await findStoryRow(db, { id: draftId }))?.id ?? null,

  isOnSite: async ({ db }, item) => (await findStoryRow(db, { id: item }))?.state === "approved",

  findMissing: findMissingParts,

  async prepare(services, draft, at, editor) {
    const html = await renderStoryText(services, draft.fields.text);
    return async (tx, id) => {
      const row = id === null ? null : await lockStory(tx, id);
      const fields = toStoryFields(services, draft.fields, row, at);
      const newImages = await readDraftImages(tx, draft);
      const publication = { row, newId: draft.id, fields, html, at, newImages, editor };
      const { slug } = await publishStory(services, tx, publication);
      return { kind: "published", path: `/news/${slug}` };
    };
  },

  async preview(services, draft) {
    const { site, db } = services;
    const { timeZone } = site.read(siteSettingsFile);
    const row = draft.item === null ? null : await findStoryRow(db, { id: draft.item });
    const publishedAt = row?.publishedAt ?? draft.publishAt ?? services.clock();
    const html = await renderStoryText(services, draft.fields.text);
    const { image, ...fields } = toStoryFields(services, draft.fields, row, publishedAt);
    const [size] = await listImages(db, draft, [draft.fields.image]);
    const record = recordFromRow(
      {
        ...fields,
        title: titleOf(draft.fields),
        category: fields.category || "No section yet",
        slug: row?.slug ?? draft.id,
        origin: row?.origin ?? "desk",
        name: fields.authors[0] ?? "",
        html: showDraftImages(html),
        day: calendarDay(publishedAt, timeZone),
        publishedAt,
        updatedAt: null,
        images:
          image && size
            ? [
                {
                  ...noPhoto,
                  ...size,
                  file: draftImagePath(image.id),
                  alt: image.alt,
                  caption: image.caption || null,
                  credit: image.credit || null,
                },
              ]
            : [],
      },
      { placeholder: site.read(submitStoryFile).picture, timeZone },
    );
    return { kind: "story", page: await readStoryPage(services, record) };
  },
};
