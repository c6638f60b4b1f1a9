import type { Database } from "../../../../../db/database.ts";
import { calendarDay } from "../../../../lib/dates.ts";
import { stripControlCharacters, toSafeLine } from "../../../../lib/text/plain-text.ts";
import type { Services } from "../../../../platform/services.ts";
import { dayOrTime } from "../../../../site-files/article-fields.server.ts";
import type { PostFields } from "../../../blog/publish/desk-posts.server.ts";
import { siteSettingsFile } from "../../../brand/files.server.ts";
import { findStoryRow } from "../../../stories/desk/rows.server.ts";
import { listStoredImages } from "../images.server.ts";
import {
  type DraftFields,
  emptyFields,
  hasMergeLine,
  listDescribedImages,
  maxDraftTextLength,
  maxDraftTitleLength,
  maxExcerptLength,
  mergeLineMessage,
  photoField,
} from "../model.ts";
import type { Draft } from "../schema.server.ts";
import type { FieldErrors } from "./kind.ts";

// What stories and posts have in common.

/** A day, or a day and a time, of this century. */
const isCorrectionDate = (date: string) =>
  date.startsWith("20") && dayOrTime.safeParse(date).success;

/** Whether a draft changes a reader's story, which has plain text, no summary, and its own photos. */
export const isPlainText = async (db: Database, { kind, item }: Draft): Promise<boolean> =>
  kind === "story" && item !== null && (await findStoryRow(db, { id: item }))?.origin === "reader";

export async function findMissingParts(
  { db }: Pick<Services, "db">,
  draft: Draft,
): Promise<FieldErrors> {
  const { title, text, image, alt, category, excerpt, corrections } = draft.fields;
  const errors: FieldErrors = {};
  const images = listDescribedImages(text);
  const stored = await listStoredImages(db, draft, [image, ...images.map(({ id }) => id)]);
  if (title.trim() === "") errors.title = "Type a title.";
  else if (title.length > maxDraftTitleLength)
    errors.title = `Shorten the title to ${maxDraftTitleLength} characters.`;
  if (text.trim() === "") errors.text = "Write the text.";
  else if (text.length > maxDraftTextLength)
    errors.text = `Shorten the text to ${maxDraftTextLength.toLocaleString("en-US")} characters.`;
  else if (hasMergeLine(text)) errors.text = mergeLineMessage;
  else if (images.some((each) => each.alt === ""))
    errors.text = "Describe each image in the text, between its square brackets.";
  else if (images.some(({ id }) => !stored.has(id)))
    errors.text = "An image in the text has not been sent. Add it again.";
  if (image !== "" && !stored.has(image))
    errors[photoField] = "The photo has not been sent. Choose it again.";
  else if (image !== "" && alt.trim() === "")
    errors.alt = "Describe the photo for readers who cannot see it.";
  if (draft.kind === "story" && category.trim() === "") errors.category = "Choose a section.";
  if (excerpt.length > maxExcerptLength)
    errors.excerpt = `Shorten the summary to ${maxExcerptLength} characters.`;
  else if (excerpt.trim() === "" && !(await isPlainText(db, draft)))
    errors.excerpt = "Write a summary.";
  if (corrections.some(({ date }) => date !== "" && !isCorrectionDate(date)))
    errors.corrections = "Choose the day of each correction again.";
  return errors;
}

/** Converts what an editor typed. A correction without a date gets the day of the publication. */
export function toArticleFields(
  { site }: Pick<Services, "site">,
  fields: DraftFields,
  at: Date,
): PostFields {
  const today = calendarDay(at, site.read(siteSettingsFile).timeZone);
  return {
    title: toSafeLine(fields.title),
    excerpt: toSafeLine(fields.excerpt),
    text: stripControlCharacters(fields.text).trim(),
    authors: fields.authors.split(",").map(toSafeLine).filter(Boolean),
    image:
      fields.image === ""
        ? null
        : {
            id: fields.image,
            alt: toSafeLine(fields.alt),
            caption: toSafeLine(fields.caption),
            credit: toSafeLine(fields.credit),
          },
    corrections: fields.corrections.map(({ date, text }) => ({
      date: date || today,
      text: toSafeLine(text),
    })),
  };
}

/** The opposite of `toArticleFields`. */
export function toDraftFields({ authors, image, ...fields }: PostFields): DraftFields {
  const { id, ...photo } = image ?? { id: "", alt: "", caption: "", credit: "" };
  return { ...emptyFields, ...fields, authors: authors.join(", "), image: id, ...photo };
}
