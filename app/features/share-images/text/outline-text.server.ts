import { placeGlyph, toTenths } from "../../../lib/images/glyph-path.ts";
import type { FontPair } from "../../../lib/look/font-pairs.ts";
import { cleanText } from "./clean-text.ts";
import { stacks } from "./fonts.server.ts";
import { findDirection, shapeText } from "./shape-text.server.ts";

export type OutlineRequest = {
  text: string;
  size: number;
  /** The distance from the top of the drawing. */
  baseline: number;
  /** The additional space between letters, in the same unit as the size. */
  letterSpacing: number;
  fonts: FontPair;
};
export type Outline = { width: number; path: string };

/** Converts a line in the serif font of a pair to the data of one path, which begins at the left edge. */
export function outlineText({
  text,
  size,
  baseline,
  letterSpacing,
  fonts,
}: OutlineRequest): Outline {
  const cleaned = cleanText(text);
  const line = shapeText(
    cleaned,
    stacks[fonts].serif,
    findDirection(cleaned),
    letterSpacing / size,
  );
  const path = line.glyphs
    .map((glyph) => {
      const origin = [
        toTenths((glyph.left + glyph.x) * size),
        toTenths(baseline - glyph.y * size),
      ] as const;
      return glyph.layers
        .map(({ outline }) => placeGlyph(outline, glyph.unit * size, origin))
        .join("");
    })
    .join("");
  return { width: Math.ceil(line.width * size - letterSpacing), path };
}
