// Draws the short name of a city's site as outlines of our serif font: `node_modules/.bin/node
// tools/draw-wordmark.ts` writes art/wordmark.svg. The header can show it before the web font is
// loaded. SITE selects the city.
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
// The lower edge is the baseline, because browsers align images in a line of text that way.
const height = size * 0.72;
const outlines = face.outline(shortName, { baseline: height, size, letterSpacing });
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
