// Adjusts widely installed fonts to the width and height of our own, so that text has the same line
// breaks before and after our fonts are loaded: `node_modules/.bin/node
// tools/fit-fallback-fonts.ts` writes app/styles/fonts/fallbacks.css. Georgia, Times New Roman and
// Arial are measured with free fonts of exactly the same widths, which this script downloads
// instead of every install.
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { openFontFile, openTypeface } from "./outlines.ts";

type Fallback = {
  family: string;
  ourFamily: "Newsreader" | "Libre Franklin";
  /**
   * A package of @fontsource with the same widths. If the widths differ, the `factor` of each face
   * corrects that.
   */
  measuredBy: string;
  faces: { weights: string; ours: number; measured: number; factor: number; local: string[] }[];
};

/**
 * Creates the two faces of a fallback: the regular font for lighter text and the bold font for
 * headings and buttons (600), so that no browser has to synthesize bold letters.
 */
function createFaces(
  regular: string[],
  bold: string[],
  [lighter, bolder] = [1, 1],
): Fallback["faces"] {
  return [
    { weights: "400 500", ours: 400, measured: 400, factor: lighter, local: regular },
    { weights: "600 700", ours: 600, measured: 700, factor: bolder, local: bold },
  ];
}

const fallbacks: Fallback[] = [
  {
    family: "Newsreader Georgia",
    ourFamily: "Newsreader",
    measuredBy: "gelasio",
    faces: createFaces(["Georgia"], ["Georgia Bold", "Georgia-Bold"]),
  },
  {
    family: "Newsreader Noto",
    ourFamily: "Newsreader",
    measuredBy: "noto-serif",
    faces: createFaces(["Noto Serif", "NotoSerif"], ["Noto Serif Bold", "NotoSerif-Bold"]),
  },
  {
    family: "Newsreader Times",
    ourFamily: "Newsreader",
    measuredBy: "tinos",
    faces: createFaces(
      ["Times New Roman", "TimesNewRomanPSMT", "Liberation Serif"],
      ["Times New Roman Bold", "TimesNewRomanPS-BoldMT", "Liberation Serif Bold"],
    ),
  },
  {
    family: "Franklin Segoe",
    ourFamily: "Libre Franklin",
    measuredBy: "arimo",
    // The factors are the average widths of Segoe UI divided by those of Arial, which we measure
    // instead (both from @capsizecss/metrics 4.3.0).
    faces: createFaces(
      ["Segoe UI"],
      ["Segoe UI Semibold", "SegoeUI-Semibold"],
      [908 / 913, 937 / 983],
    ),
  },
  {
    family: "Franklin Roboto",
    ourFamily: "Libre Franklin",
    measuredBy: "roboto",
    faces: createFaces(["Roboto", "Roboto-Regular"], ["Roboto Bold", "Roboto-Bold"]),
  },
  {
    family: "Franklin Helvetica",
    ourFamily: "Libre Franklin",
    measuredBy: "arimo",
    // The same for Helvetica Neue: its widths are 450/1000 and 480/1000 em, and those of Arial are
    // 913/2048 and 983/2048 em.
    faces: createFaces(
      ["Helvetica Neue", "HelveticaNeue"],
      ["Helvetica Neue Bold", "HelveticaNeue-Bold"],
      [(450 * 2.048) / 913, (480 * 2.048) / 983],
    ),
  },
  {
    family: "Franklin Arial",
    ourFamily: "Libre Franklin",
    measuredBy: "arimo",
    faces: createFaces(
      ["Arial", "ArialMT", "Liberation Sans"],
      ["Arial Bold", "Arial-BoldMT", "Liberation Sans Bold"],
    ),
  },
];

/** Ordinary English text from the site. */
const sampleText = (await readFile("sites/baltimore/faq.yaml", "utf8"))
  .replace(/[^A-Za-z,.’'?]+/g, " ")
  .slice(0, 20_000);
const runProgram = promisify(execFile);
const folder = await mkdtemp(join(tmpdir(), "fallback-fonts-"));
const toPercent = (share: number) => `${(share * 100).toFixed(1)}%`;

async function fetchFonts(name: string): Promise<string> {
  const { stdout } = await runProgram("npm", ["pack", `@fontsource/${name}@5.3.0`, "--silent"], {
    cwd: folder,
  });
  await runProgram("tar", ["xzf", stdout.trim(), `--one-top-level=${name}`], { cwd: folder });
  return join(folder, name, "package/files");
}

try {
  const packages = [...new Set(fallbacks.map(({ measuredBy }) => measuredBy))];
  const folders = new Map<string, string>();
  for (const name of packages) folders.set(name, await fetchFonts(name));
  const rules: string[] = [];
  for (const { family, ourFamily: ours, measuredBy, faces } of fallbacks) {
    for (const face of faces) {
      const ourFace = await openTypeface(ours, face.ours);
      const file = `${measuredBy}-latin-${face.measured}-normal.woff2`;
      const fallbackFace = await openFontFile(join(folders.get(measuredBy) ?? "", file));
      const sizeAdjust =
        ourFace.measure(sampleText) / (fallbackFace.measure(sampleText) * face.factor);
      rules.push(`@font-face {
  font-family: "${family}";
  src: ${face.local.map((name) => `local("${name}")`).join(", ")};
  font-weight: ${face.weights};
  size-adjust: ${toPercent(sizeAdjust)};
  ascent-override: ${toPercent(ourFace.ascent / sizeAdjust)};
  descent-override: ${toPercent(ourFace.descent / sizeAdjust)};
  line-gap-override: 0%;
}
`);
    }
  }
  const note = "/* Written by tools/fit-fallback-fonts.ts. */\n";
  await writeFile("app/styles/fonts/fallbacks.css", note + rules.join(""));
  console.log(`Adjusted ${rules.length} font faces.`);
} finally {
  await rm(folder, { recursive: true });
}
