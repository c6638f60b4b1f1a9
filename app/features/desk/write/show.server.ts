import { calendarDay, localTimestamp, shortTimestamp } from "../../../lib/dates.ts";
import { formatCount } from "../../../lib/newsroom/printing.ts";
import type { PageServices, Services } from "../../../platform/services.ts";
import { noPhoto } from "../../../site-files/site-fields.server.ts";
import { siteSettingsFile } from "../../brand/files.server.ts";
import { listCategories, sectionsFile } from "../../feeds/files.server.ts";
import { renderStoryText } from "../../stories/desk/render.server.ts";
import { findStoryRow } from "../../stories/desk/rows.server.ts";
import type { StoryPageContent } from "../../stories/model.ts";
import { submitStoryFile } from "../../stories/readers/files.server.ts";
import { recordFromRow } from "../../stories/record.server.ts";
import { readStoryPage } from "../../stories/story-page.server.ts";
import type { Editor } from "../files.server.ts";
import { type Draft, isOpenElsewhere, isPlainText, listDrafts, titleOf } from "./drafts.server.ts";
import { findImageSize } from "./images.server.ts";
import { draftImagePath, draftImages } from "./model.ts";
import { findMissing, toStoryFields } from "./publish.server.ts";
import { describeTime } from "./receive.server.ts";

type ShowServices = Pick<Services, "db" | "clock" | "site">;

/** Says how long ago something was, such as "2 minutes ago". */
function describeAgo(at: Date, now: Date): string {
  const minutes = Math.floor((now.getTime() - at.getTime()) / 60_000);
  return minutes < 1 ? "just now" : `${formatCount(minutes, "minute")} ago`;
}

/** The other editor who has the draft open. Null if nobody else has it open. */
const describeOpen = (draft: Draft, editor: Editor, now: Date) =>
  isOpenElsewhere(draft, editor, now)
    ? { name: draft.openName, ago: describeAgo(draft.openAt, now) }
    : null;

/** All drafts, as the list shows them. */
export async function showDrafts({ db, clock, site }: ShowServices, editor: Editor) {
  const { timeZone } = site.read(siteSettingsFile);
  const now = clock();
  const drafts = await listDrafts(db);
  return Promise.all(
    drafts.map(async (draft) => {
      const isLate = draft.publishAt !== null && draft.publishAt <= now;
      return {
        id: draft.id,
        kind: draft.kind,
        title: titleOf(draft.fields),
        isMine: draft.editor === editor.email,
        isPublished: draft.item !== null,
        saved: `${draft.editorName}, ${shortTimestamp(draft.updatedAt, timeZone)}`,
        open: describeOpen(draft, editor, now),
        publishAt: draft.publishAt && shortTimestamp(draft.publishAt, timeZone),
        missing: isLate ? Object.values(await findMissing(db, draft)) : [],
      };
    }),
  );
}

export type ShownDraft = Awaited<ReturnType<typeof showDrafts>>[number];

/** A draft, as the page on which editors write shows it. */
export async function showDraft({ db, clock, site }: ShowServices, editor: Editor, draft: Draft) {
  const { timeZone } = site.read(siteSettingsFile);
  const { id, fields, revision, item, publishAt } = draft;
  return {
    id,
    fields,
    revision,
    created: draft.createdAt.toISOString(),
    isPublished: item !== null,
    isPlain: await isPlainText(db, item),
    saved: describeTime(draft.updatedAt, clock(), timeZone),
    open: describeOpen(draft, editor, clock()),
    publishAt: publishAt && {
      shown: shortTimestamp(publishAt, timeZone),
      input: localTimestamp(publishAt, timeZone).slice(0, 16),
    },
    sections: listSections(site.read(sectionsFile).sections, fields.category),
  };
}

export type DraftPageContent = Awaited<ReturnType<typeof showDraft>>;

/** The categories from which editors choose, by section. */
function listSections(
  sections: Parameters<typeof listCategories>[0],
  current: string,
): { heading: string; categories: string[] }[] {
  const groups = Object.entries(sections)
    .filter(([name]) => !["news", "archives"].includes(name))
    .map(([name, { heading }]) => ({
      heading,
      // The first is the section's name in its path. Readers know the section by its heading.
      categories: listCategories(sections, name).slice(1),
    }));
  const isListed = groups.some(({ categories }) => categories.includes(current));
  return current === "" || isListed
    ? groups
    : [{ heading: "Now", categories: [current] }, ...groups];
}

/** The page of a story as readers will see it. */
export async function previewDraft(
  services: PageServices & Pick<Services, "runInWorker">,
  draft: Draft,
): Promise<StoryPageContent> {
  const { site, db } = services;
  const { timeZone } = site.read(siteSettingsFile);
  const row = draft.item === null ? null : await findStoryRow(db, { id: draft.item });
  const publishedAt = row?.publishedAt ?? draft.publishAt ?? services.clock();
  const day = calendarDay(publishedAt, timeZone);
  const html = await renderStoryText(services, draft.fields.text);
  const { image, ...fields } = toStoryFields(draft.fields, day);
  const size = image && (await findImageSize(db, image.id));
  const record = recordFromRow(
    {
      ...fields,
      title: titleOf(draft.fields),
      category: fields.category || "No section yet",
      slug: row?.slug ?? draft.id,
      origin: row?.origin ?? "desk",
      name: fields.authors[0] ?? "",
      // Readers cannot open the images yet.
      html: html.replaceAll('src="/pictures/', `src="${draftImages}`),
      day,
      publishedAt,
      updatedAt: null,
      images: size
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
  return readStoryPage(services, record);
}
