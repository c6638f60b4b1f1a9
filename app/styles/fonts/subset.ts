// Creates the font files in this folder from npm packages: `node app/styles/fonts/subset.ts`.
// Newsreader is fixed at its display size (opsz 48). Both fonts contain the weights 400 to 700. Each
// has a file with the characters of nearly every page, which is loaded first, and a file with the
// other characters of US English and Western European names (fonts.css has the same ranges).
// License: SIL Open Font License 1.1.
import { readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import subsetFont from "subset-font";

const range = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => String.fromCodePoint(from + index)).join("");
const common = `${range(0x20, 0x7e)}\u00a0©·×é–—‘’“”•…←↑→↓✓`;
const more = `${range(0xa1, 0xff)}„†‡‰′″€™−`.replaceAll(/[©·×é]/g, "");
const weights = { min: 400, max: 700 };
const packages = createRequire(import.meta.url);

for (const { source, name, axes } of [
  {
    source: "@fontsource-variable/newsreader/files/newsreader-latin-standard-normal.woff2",
    name: "newsreader",
    axes: { opsz: 48, wght: weights },
  },
  {
    source: "@fontsource-variable/libre-franklin/files/libre-franklin-latin-wght-normal.woff2",
    name: "libre-franklin",
    axes: { wght: weights },
  },
]) {
  const original = await readFile(packages.resolve(source));
  for (const [target, characters] of [
    [`${name}.woff2`, common],
    [`${name}-more.woff2`, more],
  ] as const) {
    const font = await subsetFont(original, characters, {
      targetFormat: "woff2",
      variationAxes: axes,
    });
    await writeFile(new URL(target, import.meta.url), font);
    console.log(`${target}: ${font.length} bytes`);
  }
}
