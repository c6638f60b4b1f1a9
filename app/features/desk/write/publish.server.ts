import { and, eq, lte } from "drizzle-orm";
import type { Database } from "../../../../db/database.ts";
import { calendarDay } from "../../../lib/dates.ts";
import { errorFields } from "../../../lib/log.ts";
import { stripControlCharacters, toSafeLine } from "../../../lib/text/plain-text.ts";
import type { Services } from "../../../platform/services.ts";
import { dayOrTime } from "../../../site-files/article-fields.server.ts";
import { siteSettingsFile } from "../../brand/files.server.ts";
import { renderStoryText } from "../../stories/desk/render.server.ts";
import type { StoryFields } from "../../stories/desk/rows.server.ts";
import type { Editor } from "../files.server.ts";
import { writeLog } from "../log/log.server.ts";
import { publishStory } from "../published/publish-story.server.ts";
import { type Draft, isPlainText, lockRevision, titleOf } from "./drafts.server.ts";
import { listStoredImages } from "./images.server.ts";
import {
  type DraftFields,
  listDescribedImages,
  maxDraftTextLength,
  maxDraftTitleLength,
  maxExcerptLength,
  photoField,
} from "./model.ts";
import { deskDrafts } from "./schema.server.ts";

/** A day, or a day and a time, of this century. */
const isCorrectionDate = (date: string) =>
  date.startsWith("20") && dayOrTime.safeParse(date).success;

type PublishServices = Pick<Services, "db" | "clock" | "site" | "runInWorker">;

/** What is missing before a draft can be published: messages by field, in the form's order. */
export async function findMissing(
  db: Database,
  { fields, item }: Pick<Draft, "fields" | "item">,
): Promise<Record<string, string>> {
  const { title, text, image, alt, category, excerpt } = fields;
  const errors: Record<string, string> = {};
  const images = listDescribedImages(text);
  const stored = await listStoredImages(db, [image, ...images.map(({ id }) => id)]);
  if (title.trim() === "") errors.title = "Type a title.";
  else if (title.length > maxDraftTitleLength)
    errors.title = `Shorten the title to ${maxDraftTitleLength} characters.`;
  if (text.trim() === "") errors.text = "Write the text.";
  else if (text.length > maxDraftTextLength)
    errors.text = `Shorten the text to ${maxDraftTextLength.toLocaleString("en-US")} characters.`;
  else if (images.some((each) => each.alt === ""))
    errors.text = "Describe each image in the text, between its square brackets.";
  else if (images.some(({ id }) => !stored.has(id)))
    errors.text = "An image in the text has not been sent. Add it again.";
  if (image !== "" && !stored.has(image))
    errors[photoField] = "The photo has not been sent. Choose it again.";
  else if (image !== "" && alt.trim() === "")
    errors.alt = "Describe the photo for readers who cannot see it.";
  if (category.trim() === "") errors.category = "Choose a section.";
  if (fields.corrections.some(({ date }) => date !== "" && !isCorrectionDate(date)))
    errors.corrections = "Choose the day of each correction again.";
  if (excerpt.length > maxExcerptLength)
    errors.excerpt = `Shorten the summary to ${maxExcerptLength} characters.`;
  else if (excerpt.trim() === "" && !(await isPlainText(db, item)))
    errors.excerpt = "Write a summary.";
  return errors;
}

/** Converts what an editor typed to the fields of a story. */
export function toStoryFields(fields: DraftFields, today: string): StoryFields {
  const { image, isPinned } = fields;
  return {
    title: toSafeLine(fields.title),
    excerpt: toSafeLine(fields.excerpt),
    text: stripControlCharacters(fields.text).trim(),
    category: toSafeLine(fields.category),
    authors: fields.authors.split(",").map(toSafeLine).filter(Boolean),
    image:
      image === ""
        ? null
        : {
            id: image,
            alt: toSafeLine(fields.alt),
            caption: toSafeLine(fields.caption),
            credit: toSafeLine(fields.credit),
          },
    isPinned,
    corrections: fields.corrections.map(({ date, text }) => ({
      date: date || today,
      text: toSafeLine(text),
    })),
  };
}

type Published =
  | { kind: "published"; slug: string; title: string }
  | { kind: "incomplete"; errors: Record<string, string> }
  /** The draft changed or was deleted meanwhile. */
  | { kind: "changed" };

/** Publishes a draft and deletes it. The editing goes on in a new draft of what is published. */
export async function publishDraft(
  services: PublishServices,
  editor: Editor,
  draft: Draft,
  at: Date,
): Promise<Published> {
  const errors = await findMissing(services.db, draft);
  if (Object.keys(errors).length > 0) return { kind: "incomplete", errors };
  const { timeZone } = services.site.read(siteSettingsFile);
  const html = await renderStoryText(services, draft.fields.text);
  const fields = toStoryFields(draft.fields, calendarDay(at, timeZone));
  return services.db.transaction(async (tx) => {
    if (!(await lockRevision(tx, draft))) return { kind: "changed" };
    const { slug } = await publishStory(services, tx, {
      id: draft.item,
      // A form that is sent again after the draft was published finds the story by this id.
      newId: draft.id,
      fields,
      html,
      at,
      editor,
    });
    await tx.delete(deskDrafts).where(eq(deskDrafts.id, draft.id));
    return { kind: "published", slug, title: fields.title };
  });
}

/** Sets when a draft is published. Null takes the date back. */
export async function scheduleDraft(
  { db, clock }: Pick<Services, "db" | "clock">,
  editor: Editor,
  draft: Draft,
  publishAt: Date | null,
  shownTime: string,
): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.update(deskDrafts).set({ publishAt }).where(eq(deskDrafts.id, draft.id));
    await writeLog(tx, clock, editor, {
      action: publishAt ? "scheduled" : "unscheduled",
      kind: draft.kind,
      items: [draft.id],
      title: titleOf(draft.fields),
      note: shownTime,
    });
  });
}

/**
 * Publishes the drafts that are due. One that is not complete stays, and the list of drafts says
 * what is missing.
 */
export async function publishDueDrafts(
  services: PublishServices & Pick<Services, "log">,
): Promise<{ published: number }> {
  const { db, clock, log } = services;
  const due = await db
    .select()
    .from(deskDrafts)
    .where(and(lte(deskDrafts.publishAt, clock())));
  let published = 0;
  for (const draft of due) {
    const editor = { email: draft.editor, name: draft.editorName };
    try {
      const result = await publishDraft(services, editor, draft, draft.publishAt ?? clock());
      if (result.kind === "published") published += 1;
    } catch (error) {
      log.error("desk.draft_not_published", { draft: draft.id, ...errorFields(error) });
    }
  }
  return { published };
}
