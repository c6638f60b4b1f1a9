// Converts text in one of our own fonts to SVG path data, because an SVG inside <img> cannot load a
// web font.
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { Blob, Buffer, Face, Font, shape } from "harfbuzzjs";
import subsetFont from "subset-font";

/** `letterSpacing` uses the same units as the size. */
type Placement = { baseline: number; size: number; letterSpacing: number };

export type Typeface = {
  /** The height of a line above the baseline, in ems. */
  ascent: number;
  /** The height of a line below the baseline, in ems. */
  descent: number;
  /** Returns the width of text in ems. */
  measure(text: string): number;
  /** Returns the outlines of text that begins at the left edge. */
  outline(text: string, placement: Placement): string;
};

const files = {
  Newsreader: "@fontsource-variable/newsreader/files/newsreader-latin-standard-normal.woff2",
  "Libre Franklin":
    "@fontsource-variable/libre-franklin/files/libre-franklin-latin-wght-normal.woff2",
};
type FontName = keyof typeof files;
const latinCharacters = Array.from({ length: 0x100 - 0x20 }, (_, index) =>
  String.fromCodePoint(0x20 + index),
);
const supportedCharacters = `${latinCharacters.join("")}–—‘’“”…•`;

/**
 * Returns one weight of a font as a plain TrueType file. Newsreader gets the optical size that the
 * headings of the site use.
 */
export async function readFontFile(name: FontName, weight: number): Promise<Uint8Array> {
  const axes = name === "Newsreader" ? { wght: weight, opsz: 48 } : { wght: weight };
  const source = await readFile(createRequire(import.meta.url).resolve(files[name]));
  return subsetFont(source, supportedCharacters, { targetFormat: "sfnt", variationAxes: axes });
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

  function shapeText(text: string) {
    const buffer = new Buffer();
    buffer.addText(text);
    buffer.guessSegmentProperties();
    shape(font, buffer);
    return buffer
      .getGlyphInfosAndPositions()
      .map(({ codepoint, xAdvance = 0, xOffset = 0, yOffset = 0 }) => {
        if (codepoint === 0) throw new Error(`The font lacks a character in "${text}".`);
        return { path: font.glyphToPath(codepoint), xAdvance, xOffset, yOffset };
      });
  }

  const measure = (text: string) =>
    shapeText(text).reduce((sum, { xAdvance }) => sum + xAdvance, 0) / face.upem;

  return {
    ascent: ascender / face.upem,
    descent: -descender / face.upem,
    measure,
    outline(text, { baseline, size, letterSpacing }) {
      const scale = size / face.upem;
      let pen = 0;
      return shapeText(text)
        .map(({ path, xAdvance, xOffset, yOffset }) => {
          const origin: Point = [
            toTenths(pen + xOffset * scale),
            toTenths(baseline - yOffset * scale),
          ];
          pen += xAdvance * scale + letterSpacing;
          return placeGlyph(path, scale, origin);
        })
        .join("");
    },
  };
}

type Point = readonly [number, number];

const toTenths = (value: number) => Math.round(value * 10);

/**
 * Writes a glyph with one decimal, each point relative to the last one. Only its starting point
 * depends on its position, so that the same letter has the same path data everywhere, which
 * compresses well.
 */
function placeGlyph(path: string, scale: number, origin: Point): string {
  let lastPoint: Point = [-origin[0], -origin[1]];
  let start = lastPoint;
  let pathData = "";
  let previousCommand = "";
  for (const [, command = "", values = ""] of path.matchAll(/([MLQCZ])([^MLQCZ]*)/g)) {
    if (command === "Z") {
      lastPoint = start;
      pathData += "z";
      previousCommand = "z";
      continue;
    }
    const numbers = values.split(/[ ,]+/).filter(Boolean).map(Number);
    const points = Array.from({ length: numbers.length / 2 }, (_, index): Point => {
      const [x = 0, y = 0] = numbers.slice(2 * index, 2 * index + 2);
      return [toTenths(x * scale), toTenths(-y * scale)];
    });
    const position = lastPoint;
    const steps = points.flatMap(([x, y]) => [x - position[0], y - position[1]]);
    lastPoint = points.at(-1) ?? lastPoint;
    if (command === "M") start = lastPoint;
    const [letter, shortest] = shorten(pathData === "" ? "M" : command.toLowerCase(), steps);
    const text = writeNumbers(shortest);
    // A repeated command does not have to be written again.
    if (letter !== previousCommand) pathData += letter + text;
    else pathData += text.startsWith("-") ? text : ` ${text}`;
    previousCommand = letter;
  }
  return pathData;
}

/** Uses the shorter commands for horizontal and vertical lines. */
function shorten(letter: string, steps: number[]): [string, number[]] {
  if (letter !== "l") return [letter, steps];
  const [x = 0, y = 0] = steps;
  return y === 0 ? ["h", [x]] : x === 0 ? ["v", [y]] : [letter, steps];
}

const writeNumbers = (values: number[]) =>
  values
    .map((value) => String(value / 10).replace(/^(-?)0\./, "$1."))
    .map((value, index) => (index > 0 && !value.startsWith("-") ? ` ${value}` : value))
    .join("");
