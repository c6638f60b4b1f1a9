// Text in one of our own fonts as SVG path data, for images: an SVG inside <img> cannot load a web
// font.
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { Blob, Buffer, Face, Font, shape } from "harfbuzzjs";
import subsetFont from "subset-font";

type Placement = {
  x: number;
  y: number;
  size: number;
  anchor?: "start" | "middle";
  letterSpacing?: number;
};

export type Typeface = {
  /** How far lines reach above and below the baseline, in ems. */
  ascent: number;
  descent: number;
  /** The width of a text in ems. */
  measure(text: string): number;
  /** The outlines of a text. `y` is its baseline, `letterSpacing` in the units of the drawing. */
  outline(text: string, placement: Placement): string;
};

const files = {
  Newsreader: "@fontsource-variable/newsreader/files/newsreader-latin-standard-normal.woff2",
  "Libre Franklin":
    "@fontsource-variable/libre-franklin/files/libre-franklin-latin-wght-normal.woff2",
};
type Name = keyof typeof files;
const latin = Array.from({ length: 0x100 - 0x20 }, (_, index) =>
  String.fromCodePoint(0x20 + index),
);
const letters = `${latin.join("")}–—‘’“”…•`;

/**
 * One weight of a font as a plain TrueType file. Newsreader has the optical size that the site's
 * headings use.
 */
export async function fontFile(name: Name, weight: number): Promise<Uint8Array> {
  const axes = name === "Newsreader" ? { wght: weight, opsz: 48 } : { wght: weight };
  const source = await readFile(createRequire(import.meta.url).resolve(files[name]));
  return subsetFont(source, letters, { targetFormat: "sfnt", variationAxes: axes });
}

export async function openTypeface(name: Name, weight: number): Promise<Typeface> {
  return typefaceOf(await fontFile(name, weight));
}

export async function openFontFile(path: string): Promise<Typeface> {
  return typefaceOf(
    await subsetFont(await readFile(path), letters, { targetFormat: "sfnt", variationAxes: {} }),
  );
}

function typefaceOf(file: Uint8Array): Typeface {
  const face = new Face(new Blob(file));
  const font = new Font(face);
  const { ascender, descender } = font.hExtents();

  function glyphsOf(text: string) {
    const buffer = new Buffer();
    buffer.addText(text);
    buffer.guessSegmentProperties();
    shape(font, buffer);
    return buffer
      .getGlyphInfosAndPositions()
      .map(({ codepoint, xAdvance = 0, xOffset = 0, yOffset = 0 }) => {
        if (codepoint === 0) throw new Error(`The font lacks a letter of "${text}".`);
        return { path: font.glyphToPath(codepoint), xAdvance, xOffset, yOffset };
      });
  }

  const measure = (text: string) =>
    glyphsOf(text).reduce((sum, { xAdvance }) => sum + xAdvance, 0) / face.upem;

  return {
    ascent: ascender / face.upem,
    descent: -descender / face.upem,
    measure,
    outline(text, { x, y, size, anchor = "start", letterSpacing = 0 }) {
      const scale = size / face.upem;
      const glyphs = glyphsOf(text);
      const width = measure(text) * size + letterSpacing * (glyphs.length - 1);
      let pen = anchor === "middle" ? x - width / 2 : x;
      return glyphs
        .map(({ path, xAdvance, xOffset, yOffset }) => {
          const from: Point = [tenths(pen + xOffset * scale), tenths(y - yOffset * scale)];
          pen += xAdvance * scale + letterSpacing;
          return placeGlyph(path, scale, from);
        })
        .join("");
    },
  };
}

type Point = readonly [number, number];

const tenths = (value: number) => Math.round(value * 10);

/**
 * Writes a glyph in steps of a tenth, each from the last point. Only where it begins depends on its
 * place, so that the same letter is the same text wherever it occurs, which compresses well.
 */
function placeGlyph(path: string, scale: number, origin: Point): string {
  let last: Point = [-origin[0], -origin[1]];
  let start = last;
  let written = "";
  let letterBefore = "";
  for (const [, command = "", values = ""] of path.matchAll(/([MLQCZ])([^MLQCZ]*)/g)) {
    if (command === "Z") {
      last = start;
      written += "z";
      letterBefore = "z";
      continue;
    }
    const numbers = values.split(/[ ,]+/).filter(Boolean).map(Number);
    const points = Array.from({ length: numbers.length / 2 }, (_, at): Point => {
      const [x = 0, y = 0] = numbers.slice(2 * at, 2 * at + 2);
      return [tenths(x * scale), tenths(-y * scale)];
    });
    const from = last;
    const steps = points.flatMap(([x, y]) => [x - from[0], y - from[1]]);
    last = points.at(-1) ?? last;
    if (command === "M") start = last;
    const [letter, shortest] = shorten(written === "" ? "M" : command.toLowerCase(), steps);
    const text = writeNumbers(shortest);
    // A command that is repeated need not be written again.
    if (letter !== letterBefore) written += letter + text;
    else written += text.startsWith("-") ? text : ` ${text}`;
    letterBefore = letter;
  }
  return written;
}

/** A line straight across or straight down has a shorter command. */
function shorten(letter: string, steps: number[]): [string, number[]] {
  if (letter !== "l") return [letter, steps];
  const [x = 0, y = 0] = steps;
  return y === 0 ? ["h", [x]] : x === 0 ? ["v", [y]] : [letter, steps];
}

const writeNumbers = (values: number[]) =>
  values
    .map((value) => String(value / 10).replace(/^(-?)0\./, "$1."))
    .map((value, at) => (at > 0 && !value.startsWith("-") ? ` ${value}` : value))
    .join("");
