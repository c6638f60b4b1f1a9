import { z } from "zod";
import { toSafeLine } from "../../../lib/text/plain-text.ts";
import { firstErrors, requiredText } from "../../forms/receive.server.ts";
import {
  maxAltLength,
  maxCategoryLength,
  maxStoryLength,
  maxTitleLength,
} from "../../stories/readers/model.ts";
import type { StoryEdit } from "../../stories/readers/moderation.server.ts";
import { altField } from "./model.ts";

const storySchema = z.object({
  title: requiredText("A story needs a title.", maxTitleLength).overwrite(toSafeLine),
  text: requiredText("A story needs a text.", maxStoryLength),
  category: requiredText("A story needs a category.", maxCategoryLength).overwrite(toSafeLine),
});

type NumberedImage = { id: string; number: number; alt: string };

/** Editors know the images of a reader's story by these numbers. */
export const numberImages = <T>(images: T[]): (T & { number: number })[] =>
  images.map((image, index) => ({ ...image, number: index + 1 }));

/**
 * Reads what readers will see of a reader's story. If it is not complete, `edit` is null and
 * `errors` says what it still needs, by the field of the desk's form.
 */
export function readApproval(
  typed: unknown,
  shown: NumberedImage[],
): { edit: StoryEdit | null; errors: Record<string, string> } {
  const { data, error } = storySchema.safeParse(typed);
  const errors: Record<string, string> = { ...(error && firstErrors(storySchema, error)) };
  const images = shown.map(({ id, alt }) => ({ id, alt: toSafeLine(alt).slice(0, maxAltLength) }));
  for (const [index, { id, alt }] of images.entries())
    if (alt === "") errors[altField(id)] = `Image ${shown[index]?.number} needs a description.`;
  return { edit: data && Object.keys(errors).length === 0 ? { ...data, images } : null, errors };
}
