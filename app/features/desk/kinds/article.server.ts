import type { Database } from "../../../../db/database.ts";
import { calendarDay } from "../../../lib/dates.ts";
import { findStoredImage } from "../../../lib/images/stored-image.ts";
import { stripControlCharacters, toSafeLine } from "../../../lib/text/plain-text.ts";
import type { Services } from "../../../platform/services.ts";
import { dayOrTime } from "../../../site-files/article-fields.server.ts";
import type { ArticleFields } from "../../blog/publish/desk-posts.server.ts";
import { siteSettingsFile } from "../../brand/files.server.ts";
import { findCategorySection, sectionsFile } from "../../feeds/files.server.ts";
import type { FieldErrors } from "../../forms/receive.server.ts";
import { findStoryRow } from "../../stories/desk/rows.server.ts";
import type { StoryRow } from "../../stories/schema.server.ts";
import { maxCorrectionLength } from "../published/model.ts";
import type { WriteServices } from "../services.ts";
import { listImages } from "../write/images.server.ts";
import {
  type DraftFields,
  emptyFields,
  fieldLabels,
  hasMergeLine,
  maxLengths,
  mergeLineMessage,
  photoField,
} from "../write/model.ts";
import type { Draft } from "../write/schema.server.ts";

// What stories and posts have in common.

const isCorrectionDate = (date: string) =>
  date.startsWith("20") && dayOrTime.safeParse(date).success;

const findStory = async (db: Database, { kind, rowId }: Draft): Promise<StoryRow | null> =>
  kind === "story" && rowId !== null ? findStoryRow(db, { id: rowId }) : null;

/**
 * Whether a draft changes a reader's story, which has plain text, no summary, and its own photos.
 */
export const isPlainText = async (db: Database, draft: Draft): Promise<boolean> =>
  (await findStory(db, draft))?.writtenBy === "reader";

/** `render` returns the text as readers will see it. */
export async function findArticleObstacles(
  services: WriteServices,
  draft: Draft,
  render: (services: WriteServices, text: string) => Promise<string>,
): Promise<FieldErrors> {
  const { db, site } = services;
  const { title, text, image, alt, excerpt, corrections } = draft.fields;
  const row = await findStory(db, draft);
  const isPlain = row?.writtenBy === "reader";
  const isRendered = !isPlain && text.length <= maxLengths.text;
  const html = isRendered ? await render(services, text) : "";
  const images = listShownImages(html);
  const ids = images.flatMap(({ id }) => id ?? []);
  const foreign = images.find(({ id }) => id === undefined);
  const found = await listImages(db, draft, [image, ...ids]);
  const stored = new Set(found.map(({ id }) => id));
  const errors: FieldErrors = {};
  if (title.trim() === "") errors.title = "Type a title.";
  if (text.trim() === "") errors.text = "Write the text.";
  else if (hasMergeLine(text)) errors.text = mergeLineMessage;
  else if (foreign) errors.text = `Add the image ${foreign.address} to this text again, as a file.`;
  else if (images.some((each) => each.alt === ""))
    errors.text = "Describe each image in the text, between its square brackets.";
  else if (ids.some((id) => !stored.has(id)))
    errors.text = "An image in the text has not been sent. Add it again.";
  // The renderers leave out the target of a link that browsers do not open, such as htp://….
  else if (/<a(?: title="[^"]*")?>/.test(html))
    errors.text = "A link in the text leads nowhere. Check whether it begins with https://.";
  if (image !== "" && !stored.has(image))
    errors[photoField] = "The photo has not been sent. Choose it again.";
  else if (image !== "" && alt.trim() === "")
    errors.alt = "Describe the photo for readers who cannot see it.";
  if (draft.kind === "story" && !isSection(site, draft.fields.category, row))
    errors.category = "Choose a section.";
  if (excerpt.trim() === "" && !isPlain) errors.excerpt = "Write a summary.";
  if (corrections.some(({ date }) => date !== "" && !isCorrectionDate(date)))
    errors.corrections = "Choose the day of each correction again.";
  else if (corrections.some((each) => each.text.length > maxCorrectionLength))
    errors.corrections = `A correction can have at most ${maxCorrectionLength} characters.`;
  return { ...errors, ...findTooLong(draft.fields) };
}

/**
 * Lists the images of the rendered text, because it can name an image in several ways. An
 * image that no editor added to a draft, such as one of another site, has no id.
 */
function listShownImages(html: string) {
  return [...html.matchAll(/<img((?: [\w-]+="[^"]*")+)>/g)].map(([, attributes = ""]) => {
    const read = (name: string) =>
      new RegExp(` ${name}="([^"]*)"`).exec(attributes)?.[1]?.trim() ?? "";
    const address = read("src");
    return { address, id: findStoredImage(address), alt: read("alt") };
  });
}

const findTooLong = (fields: DraftFields): FieldErrors =>
  Object.fromEntries(
    Object.entries(maxLengths).flatMap(([name, max]) => {
      const { length } = fields[name as keyof typeof maxLengths];
      const message = `${fieldLabels[name as keyof typeof maxLengths]}: at most ${max.toLocaleString("en-US")} characters, now ${length.toLocaleString("en-US")}.`;
      return length > max ? [[name, message]] : [];
    }),
  );

/** A story may keep the section that it has, although the city no longer has it. */
const isSection = (site: Services["site"], category: string, row: StoryRow | null): boolean =>
  (row !== null && row.category === category) ||
  findCategorySection(site.read(sectionsFile), category) !== null;

/** Converts what an editor typed. A correction without a date gets the day of the publication. */
export function toArticleFields(
  { site }: Pick<Services, "site">,
  fields: DraftFields,
  at: Date,
): ArticleFields {
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

export function toDraftFields({ authors, image, ...fields }: ArticleFields): DraftFields {
  const { id, ...photo } = image ?? { id: "", alt: "", caption: "", credit: "" };
  return { ...emptyFields, ...fields, authors: authors.join(", "), image: id, ...photo };
}
