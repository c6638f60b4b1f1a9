// Adjusts widely installed fonts to the width and height of our own, so that text has the same line
// breaks before and after our fonts are loaded: `node_modules/.bin/node
// tools/fit-fallback-fonts.ts` writes app/styles/fonts/fallbacks.css. Georgia, Times New Roman and
// Arial are measured with free fonts of exactly the same widths, which npm downloads here instead
// of with every install.
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { openFontFile, openTypeface } from "./outlines.ts";

type Fallback = {
  family: string;
  ours: "Newsreader" | "Libre Franklin";
  /**
   * A package of @fontsource with the same widths. If the widths differ, the `factor` of each face
   * corrects that.
   */
  measuredBy: string;
  faces: { weights: string; ours: number; measured: number; factor?: number; local: string[] }[];
};

/**
 * Uses the regular font for lighter text and the bold font for headings and buttons (600), so that
 * no browser has to synthesize bold letters.
 */
function createFaces(
  regular: string[],
  bold: string[],
  factors?: [number, number],
): Fallback["faces"] {
  return [
    {
      weights: "400 500",
      ours: 400,
      measured: 400,
      local: regular,
      ...(factors ? { factor: factors[0] } : {}),
    },
    {
      weights: "600 700",
      ours: 600,
      measured: 700,
      local: bold,
      ...(factors ? { factor: factors[1] } : {}),
    },
  ];
}

const fallbacks: Fallback[] = [
  {
    family: "Newsreader Georgia",
    ours: "Newsreader",
    measuredBy: "gelasio",
    faces: createFaces(["Georgia"], ["Georgia Bold", "Georgia-Bold"]),
  },
  {
    family: "Newsreader Noto",
    ours: "Newsreader",
    measuredBy: "noto-serif",
    faces: createFaces(["Noto Serif", "NotoSerif"], ["Noto Serif Bold", "NotoSerif-Bold"]),
  },
  {
    family: "Newsreader Times",
    ours: "Newsreader",
    measuredBy: "tinos",
    faces: createFaces(
      ["Times New Roman", "TimesNewRomanPSMT", "Liberation Serif"],
      ["Times New Roman Bold", "TimesNewRomanPS-BoldMT", "Liberation Serif Bold"],
    ),
  },
  {
    family: "Franklin Segoe",
    ours: "Libre Franklin",
    measuredBy: "arimo",
    // The average widths in @capsizecss/metrics 4.3.0 of Segoe UI and of Arial, which we measure
    // instead.
    faces: createFaces(
      ["Segoe UI"],
      ["Segoe UI Semibold", "SegoeUI-Semibold"],
      [908 / 913, 937 / 983],
    ),
  },
  {
    family: "Franklin Roboto",
    ours: "Libre Franklin",
    measuredBy: "roboto",
    faces: createFaces(["Roboto", "Roboto-Regular"], ["Roboto Bold", "Roboto-Bold"]),
  },
  {
    family: "Franklin Helvetica",
    ours: "Libre Franklin",
    measuredBy: "arimo",
    // The same for Helvetica Neue: 450 and 480 of 1000, where Arial has 913 and 983 of 2048.
    faces: createFaces(
      ["Helvetica Neue", "HelveticaNeue"],
      ["Helvetica Neue Bold", "HelveticaNeue-Bold"],
      [(450 * 2.048) / 913, (480 * 2.048) / 983],
    ),
  },
  {
    family: "Franklin Arial",
    ours: "Libre Franklin",
    measuredBy: "arimo",
    faces: createFaces(
      ["Arial", "ArialMT", "Liberation Sans"],
      ["Arial Bold", "Arial-BoldMT", "Liberation Sans Bold"],
    ),
  },
];

/** Ordinary English text from the site. */
const sample = (await readFile("sites/baltimore/faq.yaml", "utf8"))
  .replace(/[^A-Za-z,.’'?]+/g, " ")
  .slice(0, 20_000);
const run = promisify(execFile);
const folder = await mkdtemp(join(tmpdir(), "fallback-fonts-"));
const percent = (share: number) => `${(share * 100).toFixed(1)}%`;

async function fetchFonts(name: string): Promise<string> {
  const { stdout } = await run("npm", ["pack", `@fontsource/${name}@5.3.0`, "--silent"], {
    cwd: folder,
  });
  await run("tar", ["xzf", stdout.trim(), `--one-top-level=${name}`], { cwd: folder });
  return join(folder, name, "package/files");
}

try {
  const packages = [...new Set(fallbacks.map(({ measuredBy }) => measuredBy))];
  const folders = new Map<string, string>();
  for (const name of packages) folders.set(name, await fetchFonts(name));
  const rules: string[] = [];
  for (const { family, ours, measuredBy, faces } of fallbacks) {
    for (const face of faces) {
      const ourFace = await openTypeface(ours, face.ours);
      const file = `${measuredBy}-latin-${face.measured}-normal.woff2`;
      const fallbackFace = await openFontFile(join(folders.get(measuredBy) ?? "", file));
      const size = ourFace.measure(sample) / (fallbackFace.measure(sample) * (face.factor ?? 1));
      rules.push(`@font-face {
  font-family: "${family}";
  src: ${face.local.map((name) => `local("${name}")`).join(", ")};
  font-weight: ${face.weights};
  size-adjust: ${percent(size)};
  ascent-override: ${percent(ourFace.ascent / size)};
  descent-override: ${percent(ourFace.descent / size)};
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
