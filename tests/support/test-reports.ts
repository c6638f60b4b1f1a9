// Reads the reports of the test runners into one format.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { z } from "zod";

export type Failure = { file: string; test: string; message: string };
export type Outcome = {
  passed: number;
  failures: Failure[];
  /** How long each file took. Files run at the same time, so this is more than the whole run. */
  durations: { file: string; ms: number }[];
};

/** Reads what `vitest-reporter.ts` has written. */
export const readVitestReport = async (path: string): Promise<Outcome> =>
  JSON.parse(await readFile(path, "utf8"));

const specSchema = z.object({
  title: z.string(),
  file: z.string(),
  ok: z.boolean(),
  tests: z.array(
    z.object({
      results: z.array(
        z.object({
          duration: z.number(),
          errors: z.array(z.object({ message: z.string().optional() })),
        }),
      ),
    }),
  ),
});
const suiteSchema = z.object({
  specs: z.array(specSchema),
  get suites() {
    return z.array(suiteSchema).optional();
  },
});
type Suite = z.infer<typeof suiteSchema>;
const playwrightReportSchema = z.object({
  stats: z.object({ expected: z.number() }),
  suites: z.array(suiteSchema),
});

export async function readPlaywrightReport(path: string): Promise<Outcome> {
  const report = playwrightReportSchema.parse(JSON.parse(await readFile(path, "utf8")));
  const specs = report.suites.flatMap(listSpecs).map((spec) => ({
    ...spec,
    file: join("tests/e2e", spec.file),
    results: spec.tests.flatMap(({ results }) => results),
  }));
  return {
    passed: report.stats.expected,
    failures: specs
      .filter(({ ok }) => !ok)
      .map(({ file, title, results }) => ({
        file,
        test: title,
        message: results
          .flatMap(({ errors }) => errors.map(({ message = "" }) => message))
          .join("\n"),
      })),
    durations: [...Map.groupBy(specs, ({ file }) => file)].map(([file, specsOfFile]) => ({
      file,
      ms: specsOfFile
        .flatMap(({ results }) => results)
        .reduce((sum, { duration }) => sum + duration, 0),
    })),
  };
}

const listSpecs = ({ specs, suites = [] }: Suite): Suite["specs"] => [
  ...specs,
  ...suites.flatMap(listSpecs),
];

/** Returns the name of the test and the first lines of its message. */
export function summarize({ file, test, message }: Failure): string {
  const lines = stripVTControlCharacters(message)
    .split("\n")
    .filter((line) => line.trim() !== "" && !line.includes("node_modules"));
  return [`${file} › ${test}`, ...lines.slice(0, 12).map((line) => `    ${line}`)].join("\n");
}

/** Returns a line for each of the slowest files, the slowest first. */
export const listSlowest = (durations: Outcome["durations"], count: number): string =>
  durations
    .toSorted((one, other) => other.ms - one.ms)
    .slice(0, count)
    .map(({ file, ms }) => `${String(Math.round(ms / 1000)).padStart(5)} s  ${file}`)
    .join("\n");
