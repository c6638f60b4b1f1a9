import { readFileSync } from "node:fs";
import { Blob, Buffer, Direction, Face, Font, shape } from "harfbuzzjs";
import type { FontPair } from "../../../lib/look/font-pairs.ts";

/** The files in the folder fonts/, without the extension. */
type FontName =
  | "serif-latin"
  | "serif-latin-ext"
  | "serif-vietnamese"
  | "source-serif-latin"
  | "bitter-latin"
  | "sans-latin"
  | "source-sans-latin"
  | "work-sans-latin"
  | "sans-latin-ext"
  | "greek-cyrillic"
  | "hebrew"
  | "arabic"
  | "emoji";

/** A glyph at its place in a line. All lengths are in ems, and y grows upward. */
export type Glyph = { advance: number; x: number; y: number; layers: GlyphLayer[]; unit: number };
/** An outline in units of the font. Its color is that of the text if it is null. */
type GlyphLayer = { outline: string; color: string | null };

export type Typeface = {
  name: FontName;
  covers(codePoint: number): boolean;
  /** Shapes a text of one direction, and returns its glyphs from left to right. */
  shape(text: string, isRightToLeft: boolean): Glyph[];
};

/** Fonts in the order in which they are searched for a character. */
export type FontStack = readonly FontName[];
const otherScripts = ["greek-cyrillic", "hebrew", "arabic", "emoji"] as const;
type Stacks = Record<"serif" | "sans", FontStack>;
const createStacks = (serif: FontName, sans: FontName): Stacks => ({
  serif: [serif, "serif-latin-ext", "serif-vietnamese", ...otherScripts],
  sans: [sans, "sans-latin-ext", "serif-vietnamese", ...otherScripts],
});

/** The fonts of each pair. Rare characters come from the same fonts in all of them. */
export const stacks: Record<FontPair, Stacks> = {
  newsreader: createStacks("serif-latin", "sans-latin"),
  "source-serif": createStacks("source-serif-latin", "source-sans-latin"),
  bitter: createStacks("bitter-latin", "work-sans-latin"),
};

const typefaces = new Map<FontName, Typeface>();

export function openTypeface(name: FontName): Typeface {
  const typeface = typefaces.get(name) ?? readTypeface(name);
  typefaces.set(name, typeface);
  return typeface;
}

function readTypeface(name: FontName): Typeface {
  const file = readFileSync(new URL(`../fonts/${name}.ttf`, import.meta.url));
  const face = new Face(new Blob(file));
  const font = new Font(face);
  const codePoints = new Set(face.collectUnicodes());
  const palette = face.getColorPalettes()[0]?.colors ?? [];
  const layerCache = new Map<number, GlyphLayer[]>();

  function readLayers(glyph: number): GlyphLayer[] {
    const outlineOf = (layer: number) => font.glyphToPath(layer);
    const layers = face.getGlyphColorLayers(glyph);
    if (layers.length === 0) return [{ outline: outlineOf(glyph), color: null }];
    return layers.map((layer) => {
      const color = layer.colorIndex === undefined ? undefined : palette[layer.colorIndex];
      return { outline: outlineOf(layer.glyph), color: color ? toHex(color) : null };
    });
  }

  return {
    name,
    covers: (codePoint) => codePoints.has(codePoint),
    shape(text, isRightToLeft) {
      const buffer = new Buffer();
      buffer.addText(text);
      buffer.guessSegmentProperties();
      buffer.setDirection(isRightToLeft ? Direction.RTL : Direction.LTR);
      shape(font, buffer);
      return buffer
        .getGlyphInfosAndPositions()
        .map(({ codepoint: glyph, xAdvance = 0, xOffset = 0, yOffset = 0 }) => {
          const layers = layerCache.get(glyph) ?? readLayers(glyph);
          layerCache.set(glyph, layers);
          const unit = 1 / face.upem;
          return { advance: xAdvance * unit, x: xOffset * unit, y: yOffset * unit, layers, unit };
        });
    },
  };
}

type Color = { red: number; green: number; blue: number; alpha: number };

const toHex = ({ red, green, blue, alpha }: Color) =>
  `#${[red, green, blue, alpha].map((value) => value.toString(16).padStart(2, "0")).join("")}`;
