// Reads our own fonts.
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import subsetFont from "subset-font";
import type { FontPair } from "../app/lib/look/font-pairs.ts";

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
