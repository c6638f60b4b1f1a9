// Prints the numbers for app/styles/fonts/font-faces.server.ts: `node_modules/.bin/node
// tools/fit-fallback-fonts.ts`. It compares widely installed fonts with our own. Georgia, Times New
// Roman and Arial are measured with free fonts of exactly the same widths, which this script downloads
// instead of every install.
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { openFontFile, openTypeface, pairs } from "./outlines.ts";

/**
 * The fallbacks in the order of font-faces.server.ts, by a package of @fontsource with the same
 * widths. If the widths differ, the factors of the regular and the bold face correct that.
 */
const fallbacks = {
  Serif: [
    { measuredBy: "gelasio", factors: [1, 1] },
    { measuredBy: "noto-serif", factors: [1, 1] },
    { measuredBy: "tinos", factors: [1, 1] },
  ],
  Sans: [
    // The average widths of Segoe UI divided by those of Arial, which we measure instead (both from
    // @capsizecss/metrics 4.3.0).
    { measuredBy: "arimo", factors: [908 / 913, 937 / 983] },
    { measuredBy: "roboto", factors: [1, 1] },
    // The widths of Helvetica Neue are 450/1000 and 480/1000 em, those of Arial 913/2048 and 983/2048.
    { measuredBy: "arimo", factors: [(450 * 2.048) / 913, (480 * 2.048) / 983] },
    { measuredBy: "arimo", factors: [1, 1] },
  ],
};

/** Ordinary English text from the site. */
const sampleText = (await readFile("sites/baltimore/faq.yaml", "utf8"))
  .replace(/[^A-Za-z,.’'?]+/g, " ")
  .slice(0, 20_000);
const runProgram = promisify(execFile);
const folder = await mkdtemp(join(tmpdir(), "fallback-fonts-"));
const toPercent = (share: number) => Number((share * 100).toFixed(2));

async function fetchFonts(name: string): Promise<string> {
  const { stdout } = await runProgram("npm", ["pack", `@fontsource/${name}@5.3.0`, "--silent"], {
    cwd: folder,
  });
  await runProgram("tar", ["xzf", stdout.trim(), `--one-top-level=${name}`], { cwd: folder });
  return join(folder, name, "package/files");
}

try {
  const packages = [
    ...new Set(
      Object.values(fallbacks)
        .flat()
        .map(({ measuredBy }) => measuredBy),
    ),
  ];
  const folders = new Map<string, string>();
  for (const name of packages) folders.set(name, await fetchFonts(name));
  for (const [pair, fonts] of Object.entries(pairs))
    for (const kind of ["Serif", "Sans"] as const) {
      const { ascent, descent } = await openTypeface(fonts[kind], 400);
      const sizes: number[] = [];
      for (const { measuredBy, factors } of fallbacks[kind])
        for (const [index, { ours, measured }] of [
          { ours: 400, measured: 400 },
          { ours: 600, measured: 700 },
        ].entries()) {
          const ourFace = await openTypeface(fonts[kind], ours);
          const file = `${measuredBy}-latin-${measured}-normal.woff2`;
          const fallbackFace = await openFontFile(join(folders.get(measuredBy) ?? "", file));
          const width = fallbackFace.measure(sampleText) * (factors[index] ?? 1);
          sizes.push(toPercent(ourFace.measure(sampleText) / width));
        }
      console.log(pair, kind, { ascent: toPercent(ascent), descent: toPercent(descent), sizes });
    }
} finally {
  await rm(folder, { recursive: true });
}
