import { z } from "zod";
import { toSafeLine } from "../../../lib/text/plain-text.ts";
import { findCategory, sectionsFile } from "../../feeds/files.server.ts";
import { firstErrors, requiredText } from "../../forms/receive.server.ts";
import {
  defaultCategory,
  maxAltLength,
  maxStoryLength,
  maxTitleLength,
} from "../../stories/readers/model.ts";
import type { StoryEdit } from "../../stories/readers/moderation.server.ts";
import type { StoryRow } from "../../stories/schema.server.ts";
import { listCategoryChoices } from "../kinds/categories.server.ts";
import type { DeskServices } from "../services.ts";
import { descriptionField } from "./model.ts";

type Site = DeskServices["site"];
type Texts = Pick<StoryRow, "title" | "text" | "category">;

/** What is not typed stays as the reader sent it. */
function approvalSchema(site: Site, { title, text, category }: Texts) {
  // The form of readers has no category, so a story waits without one.
  const current = category || defaultCategory;
  const categories = listCategoryChoices(site, "story", current).flatMap(
    (choice) => choice.categories,
  );
  const find = (typed: string) =>
    typed === current ? typed : findCategory(site.read(sectionsFile), toSafeLine(typed));
  return z.object({
    title: requiredText("A story needs a title.", maxTitleLength)
      .overwrite(toSafeLine)
      .prefault(title),
    text: requiredText("A story needs a text.", maxStoryLength).prefault(text),
    category: z
      .string()
      .overwrite((typed) => find(typed) ?? "")
      .min(1, `Choose one of these categories: ${categories.join(", ")}.`)
      .prefault(current),
  });
}

type NumberedImage = { id: string; number: number; alt: string };

/** Editors know the images of a reader's story by these numbers. */
export const numberImages = <T>(images: T[]): (T & { number: number })[] =>
  images.map((image, index) => ({ ...image, number: index + 1 }));

/**
 * Reads what readers will see of a reader's story, of which an editor may have typed some fields. If
 * it is not complete, `edit` is null and `errors` says what it still needs, by the field of the
 * desk's form.
 */
export function readApproval(
  site: Site,
  story: Texts,
  typed: { [Name in keyof Texts]?: unknown },
  shown: NumberedImage[],
): { edit: StoryEdit | null; errors: Record<string, string> } {
  const schema = approvalSchema(site, story);
  const { data, error } = schema.safeParse(typed);
  const errors: Record<string, string> = { ...(error && firstErrors(schema, error)) };
  const images = shown.map(({ alt, ...image }) => ({ ...image, alt: toSafeLine(alt) }));
  for (const { id, number, alt } of images)
    if (alt === "") errors[descriptionField(id)] = `Image ${number} needs a description.`;
    else if (alt.length > maxAltLength)
      errors[descriptionField(id)] =
        `The description of image ${number} can have at most ${maxAltLength} characters.`;
  return { edit: data && Object.keys(errors).length === 0 ? { ...data, images } : null, errors };
}
