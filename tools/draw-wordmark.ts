// Draws the short name of a city's site in outlines of our serif: `node_modules/.bin/node
// tools/draw-wordmark.ts` writes art/wordmark.svg. The header shows it from the first moment on,
// when a web font is not there yet. SITE names the city.
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parse } from "yaml";
import { openTypeface } from "./outlines.ts";

const city = join("sites", process.env.SITE ?? "baltimore");
const { shortName }: { shortName: string } = parse(await readFile(join(city, "site.yaml"), "utf8"));
const size = 25;
const letterSpacing = -size / 40;
const face = await openTypeface("Newsreader", 600);
const width = Math.ceil(
  face.measure(shortName) * size + letterSpacing * ([...shortName].length - 1),
);
// The lower edge is the baseline, as the browser takes it for an image in a line of text.
const height = size * 0.72;
const outlines = face.outline(shortName, { x: 0, y: height, size, letterSpacing });
const title = shortName.replace(/[<>&]/g, (letter) => `&#${letter.charCodeAt(0)};`);
await writeFile(
  join(city, "art/wordmark.svg"),
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" overflow="visible">
<title>${title}</title>
<path d="${outlines}"/>
</svg>
`,
);
console.log(`${shortName}: ${width} by ${height}`);
