// Writes the stylesheet of each pair of fonts, app/styles/fonts/*/fonts.css:
// `node_modules/.bin/node tools/fit-fallback-fonts.ts`. It adjusts widely installed fonts to the
// width and height of our own, so that text has the same line breaks before and after our fonts are
// loaded. Georgia, Times New Roman and Arial are measured with free fonts of exactly the same widths,
// which this script downloads instead of every install.
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { openFontFile, openTypeface, pairs } from "./outlines.ts";

type Fallback = {
  family: string;
  kind: "Serif" | "Sans";
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

// No name begins with "Serif": the build removes the quotes, and browsers ignore a font face whose
// unquoted name begins with a generic family.
const fallbacks: Fallback[] = [
  {
    family: "Fitted Georgia",
    kind: "Serif",
    measuredBy: "gelasio",
    faces: createFaces(["Georgia"], ["Georgia Bold", "Georgia-Bold"]),
  },
  {
    family: "Fitted Noto",
    kind: "Serif",
    measuredBy: "noto-serif",
    faces: createFaces(["Noto Serif", "NotoSerif"], ["Noto Serif Bold", "NotoSerif-Bold"]),
  },
  {
    family: "Fitted Times",
    kind: "Serif",
    measuredBy: "tinos",
    faces: createFaces(
      ["Times New Roman", "TimesNewRomanPSMT", "Liberation Serif"],
      ["Times New Roman Bold", "TimesNewRomanPS-BoldMT", "Liberation Serif Bold"],
    ),
  },
  {
    family: "Fitted Segoe",
    kind: "Sans",
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
    family: "Fitted Roboto",
    kind: "Sans",
    measuredBy: "roboto",
    faces: createFaces(["Roboto", "Roboto-Regular"], ["Roboto Bold", "Roboto-Bold"]),
  },
  {
    family: "Fitted Helvetica",
    kind: "Sans",
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
    family: "Fitted Arial",
    kind: "Sans",
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

/** See app/styles/fonts/subset.ts. */
const commonCharacters =
  "U+20-7E, U+A0, U+A9, U+B7, U+D7, U+E9, U+2013-2014, U+2018-2019, U+201C-201D, U+2022, U+2026, U+2190-2193, U+2713";
const moreCharacters = "U+A1-FF, U+201E, U+2020-2021, U+2030, U+2032-2033, U+20AC, U+2122, U+2212";

/** Browsers fetch the file with more characters only when a page has one of them. */
const webFont = (family: string, file: string, characters: string) => `@font-face {
  font-family: "${family}";
  src: url("./${file}.woff2") format("woff2");
  font-weight: 400 700;
  font-display: swap;
  unicode-range: ${characters};
}
`;

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
  for (const [pair, fonts] of Object.entries(pairs)) {
    const rules: string[] = [];
    for (const { family, kind, measuredBy, faces } of fallbacks)
      for (const face of faces) {
        const ourFace = await openTypeface(fonts[kind], face.ours);
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
    // The common characters come last, because the last range wins.
    for (const kind of ["Serif", "Sans"] as const)
      rules.push(
        webFont(`City ${kind}`, `${fonts[kind]}-more`, moreCharacters),
        webFont(`City ${kind}`, fonts[kind], commonCharacters),
      );
    const note = "/* Written by tools/fit-fallback-fonts.ts. */\n";
    await writeFile(`app/styles/fonts/${pair}/fonts.css`, note + rules.join(""));
    console.log(`${pair}: adjusted ${rules.length - 4} font faces.`);
  }
} finally {
  await rm(folder, { recursive: true });
}
