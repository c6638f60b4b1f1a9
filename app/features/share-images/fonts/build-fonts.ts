// Creates the font files in this folder from npm packages. Run this only to change a font:
//   npm install --no-save @expo-google-fonts/noto-serif@0.4.2 @expo-google-fonts/frank-ruhl-libre@0.4.1
//     @expo-google-fonts/noto-naskh-arabic@0.4.5 twemoji-colr-font@15.0.3
//   node app/features/share-images/fonts/build-fonts.ts
// Each file has one weight and no variations, because these fonts are read by HarfBuzz in a worker
// thread and not by browsers. Licenses: see README.md in this folder.
import { readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import subsetFont from "subset-font";

const packages = createRequire(import.meta.url);
/** Part of subset-font. It only changes the format of a file. */
const fontverter: { convert(font: Buffer, format: "sfnt"): Promise<Buffer> } =
  packages("fontverter");

const range = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index);
/** All characters of the basic plane except surrogates. */
const allCodePoints = [...range(0x20, 0xd7ff), ...range(0xe000, 0xfffd)];

const newsreader = "@fontsource-variable/newsreader/files/newsreader";
const franklin = "@fontsource-variable/libre-franklin/files/libre-franklin";
/** The optical size and weight of the headings of the site. */
const heading = { opsz: 48, wght: 600 };
const label = { wght: 600 };

type FontSource = {
  source: string;
  target: string;
  axes?: Record<string, number>;
  /** The characters to include, if the font has them. */
  codePoints?: number[];
};

const fonts: FontSource[] = [
  { source: `${newsreader}-latin-standard-normal.woff2`, target: "serif-latin", axes: heading },
  {
    source: `${newsreader}-latin-ext-standard-normal.woff2`,
    target: "serif-latin-ext",
    axes: heading,
  },
  {
    source: `${newsreader}-vietnamese-standard-normal.woff2`,
    target: "serif-vietnamese",
    axes: heading,
  },
  { source: `${franklin}-latin-wght-normal.woff2`, target: "sans-latin", axes: label },
  { source: `${franklin}-latin-ext-wght-normal.woff2`, target: "sans-latin-ext", axes: label },
  {
    source: "@expo-google-fonts/noto-serif/600SemiBold/NotoSerif_600SemiBold.ttf",
    target: "greek-cyrillic",
    codePoints: [
      ...range(0x20, 0x7e),
      ...range(0x370, 0x52f),
      ...range(0x2010, 0x203a),
      // Numbers and signs that the other fonts lack, such as ⅔ and №.
      ...range(0x2070, 0x209f),
      ...range(0x2100, 0x218f),
    ],
  },
  {
    source: "@expo-google-fonts/frank-ruhl-libre/600SemiBold/FrankRuhlLibre_600SemiBold.ttf",
    target: "hebrew",
    codePoints: [...range(0x20, 0x7e), ...range(0x590, 0x5ff), 0x20aa],
  },
  {
    source: "@expo-google-fonts/noto-naskh-arabic/600SemiBold/NotoNaskhArabic_600SemiBold.ttf",
    target: "arabic",
  },
];

for (const { source, target, axes = {}, codePoints = allCodePoints } of fonts) {
  const characters = codePoints.map((codePoint) => String.fromCodePoint(codePoint)).join("");
  const file = await readFile(packages.resolve(source));
  const variationAxes = axes;
  await write(target, await subsetFont(file, characters, { targetFormat: "sfnt", variationAxes }));
}
// The subsetter loses the colors of this font, so all of it is included.
const emoji = await readFile(packages.resolve("twemoji-colr-font/twemoji.woff2"));
await write("emoji", await fontverter.convert(emoji, "sfnt"));

async function write(target: string, font: Buffer): Promise<void> {
  await writeFile(new URL(`${target}.ttf`, import.meta.url), font);
  console.log(`${target}.ttf: ${font.length} bytes`);
}
