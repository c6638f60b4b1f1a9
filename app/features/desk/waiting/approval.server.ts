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

/** An image of a reader's story: its place, from 1, and whether readers will see it. */
type OfferedImage = { id: string; number: number; alt: string; isShown: boolean };

export const offerAll = (images: { id: string; alt: string }[]): OfferedImage[] =>
  images.map((image, index) => ({ ...image, number: index + 1, isShown: true }));

type ReadApproval =
  | { kind: "complete"; edit: Required<StoryEdit> }
  | { kind: "incomplete"; errors: Record<string, string> };

/**
 * Reads what readers will see of a reader's story. `errors` says what it still needs, by the field
 * of the desk's form.
 */
export function readApproval(typed: unknown, images: OfferedImage[]): ReadApproval {
  const shown = images
    .filter(({ isShown }) => isShown)
    .map(({ alt, ...image }) => ({ ...image, alt: toSafeLine(alt).slice(0, maxAltLength) }));
  const parsed = storySchema.safeParse(typed);
  const errors: Record<string, string> = parsed.success
    ? {}
    : { ...firstErrors(storySchema, parsed.error) };
  for (const { id, number, alt } of shown)
    if (alt === "") errors[altField(id)] = `Image ${number} needs a description.`;
  return parsed.success && Object.keys(errors).length === 0
    ? {
        kind: "complete",
        edit: { ...parsed.data, images: shown.map(({ id, alt }) => ({ id, alt })) },
      }
    : { kind: "incomplete", errors };
}
