// Creates the two font files in this folder from npm packages: `node app/styles/fonts/subset.ts`.
// Newsreader is fixed at its display size (opsz 48). Both fonts contain the weights 400 to 700 and
// the characters of US English and Western European names. License: SIL Open Font License 1.1.
import { readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import subsetFont from "subset-font";

const range = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => String.fromCodePoint(from + index)).join("");
const characters = `${range(0x20, 0x7e)}${range(0xa0, 0xff)}–—‘’“”„…•·†‡‰′″€™−×→←↑↓✓`;
const weights = { min: 400, max: 700 };
const packages = createRequire(import.meta.url);

for (const { source, target, axes } of [
  {
    source: "@fontsource-variable/newsreader/files/newsreader-latin-standard-normal.woff2",
    target: "newsreader.woff2",
    axes: { opsz: 48, wght: weights },
  },
  {
    source: "@fontsource-variable/libre-franklin/files/libre-franklin-latin-wght-normal.woff2",
    target: "libre-franklin.woff2",
    axes: { wght: weights },
  },
]) {
  const font = await subsetFont(await readFile(packages.resolve(source)), characters, {
    targetFormat: "woff2",
    variationAxes: axes,
  });
  await writeFile(new URL(target, import.meta.url), font);
  console.log(`${target}: ${font.length} bytes`);
}
