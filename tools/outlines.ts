// Reads and measures our own fonts and those of a file.
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { Blob, Buffer, Face, Font, shape } from "harfbuzzjs";
import subsetFont from "subset-font";
import type { FontPair } from "../app/lib/look/font-pairs.ts";

type Typeface = {
  /** The height of a line above the baseline, in ems. */
  ascent: number;
  /** The height of a line below the baseline, in ems. */
  descent: number;
  /** Returns the width of text in ems. */
  measure(text: string): number;
};

/** The sources of our fonts. Those with optical sizes get the one that headings use. */
const sources = {
  newsreader: { file: "standard", axes: { opsz: 48 } },
  "libre-franklin": { file: "wght", axes: {} },
  "source-serif-4": { file: "standard", axes: { opsz: 40 } },
  "source-sans-3": { file: "wght", axes: {} },
  bitter: { file: "wght", axes: {} },
  "work-sans": { file: "wght", axes: {} },
};
type FontName = keyof typeof sources;

/** The fonts of each pair. */
export const pairs: Record<FontPair, Record<"Serif" | "Sans", FontName>> = {
  newsreader: { Serif: "newsreader", Sans: "libre-franklin" },
  "source-serif": { Serif: "source-serif-4", Sans: "source-sans-3" },
  bitter: { Serif: "bitter", Sans: "work-sans" },
};
const latinCharacters = Array.from({ length: 0x100 - 0x20 }, (_, index) =>
  String.fromCodePoint(0x20 + index),
);
const supportedCharacters = `${latinCharacters.join("")}–—‘’“”…•`;

/** Returns one weight of a font as a plain TrueType file. */
export async function readFontFile(name: FontName, weight: number): Promise<Uint8Array> {
  const { file, axes } = sources[name];
  const path = `@fontsource-variable/${name}/files/${name}-latin-${file}-normal.woff2`;
  const source = await readFile(createRequire(import.meta.url).resolve(path));
  return subsetFont(source, supportedCharacters, {
    targetFormat: "sfnt",
    variationAxes: { ...axes, wght: weight },
  });
}

export async function openTypeface(name: FontName, weight: number): Promise<Typeface> {
  return createTypeface(await readFontFile(name, weight));
}

export async function openFontFile(path: string): Promise<Typeface> {
  return createTypeface(
    await subsetFont(await readFile(path), supportedCharacters, {
      targetFormat: "sfnt",
      variationAxes: {},
    }),
  );
}

function createTypeface(file: Uint8Array): Typeface {
  const face = new Face(new Blob(file));
  const font = new Font(face);
  const { ascender, descender } = font.hExtents();

  return {
    ascent: ascender / face.upem,
    descent: -descender / face.upem,
    measure(text) {
      const buffer = new Buffer();
      buffer.addText(text);
      buffer.guessSegmentProperties();
      shape(font, buffer);
      return (
        buffer.getGlyphInfosAndPositions().reduce((sum, { codepoint, xAdvance = 0 }) => {
          if (codepoint === 0) throw new Error(`The font lacks a character in "${text}".`);
          return sum + xAdvance;
        }, 0) / face.upem
      );
    },
  };
}
