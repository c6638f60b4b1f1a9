// Creates the font files in the folders of the pairs from npm packages: `node
// app/styles/fonts/subset.ts`. The serif fonts with optical sizes are fixed at one for headings. All
// fonts contain the weights 400 to 700. Each has a file with the characters of nearly every page,
// which is loaded first, and a file with the other characters of US English and Western European
// names (font-faces.server.ts has the same ranges). License: SIL Open Font License 1.1.
import { readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import subsetFont from "subset-font";

const range = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => String.fromCodePoint(from + index)).join("");
const common = `${range(0x20, 0x7e)}\u00a0©·×é–—‘’“”•…←↑→↓✓`;
const more = `${range(0xa1, 0xff)}„†‡‰′″€™−`.replaceAll(/[©·×é]/g, "");
const packages = createRequire(import.meta.url);

for (const { pair, name, source = "wght", axes = {} } of [
  { pair: "newsreader", name: "newsreader", source: "standard", axes: { opsz: 48 } },
  { pair: "newsreader", name: "libre-franklin" },
  { pair: "source-serif", name: "source-serif-4", source: "standard", axes: { opsz: 40 } },
  { pair: "source-serif", name: "source-sans-3" },
  { pair: "bitter", name: "bitter" },
  { pair: "bitter", name: "work-sans" },
]) {
  const file = `@fontsource-variable/${name}/files/${name}-latin-${source}-normal.woff2`;
  const original = await readFile(packages.resolve(file));
  for (const [target, characters] of [
    [`${pair}/${name}.woff2`, common],
    [`${pair}/${name}-more.woff2`, more],
  ] as const) {
    const font = await subsetFont(original, characters, {
      targetFormat: "woff2",
      variationAxes: { ...axes, wght: { min: 400, max: 700 } },
    });
    await writeFile(new URL(target, import.meta.url), font);
    console.log(`${target}: ${font.length} bytes`);
  }
}
