// Reads the reports of the test runners into one format.
import { readFile } from "node:fs/promises";
import { relative } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { z } from "zod";

export type Failure = { file: string; test: string; message: string };
export type Outcome = { passed: number; failures: Failure[] };

const vitestReportSchema = z.object({
  numPassedTests: z.number(),
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      message: z.string(),
      assertionResults: z.array(
        z.object({
          fullName: z.string(),
          status: z.string(),
          failureMessages: z.array(z.string()).nullish(),
        }),
      ),
    }),
  ),
});

export async function readVitestReport(path: string): Promise<Outcome> {
  const report = vitestReportSchema.parse(JSON.parse(await readFile(path, "utf8")));
  const failures = report.testResults.flatMap(({ name, status, message, assertionResults }) => {
    const file = relative(".", name);
    const failedTests = assertionResults.filter((test) => test.status === "failed");
    // A file that does not load has no test names.
    if (status === "failed" && failedTests.length === 0)
      return [{ file, test: "the entire file", message }];
    return failedTests.map(({ fullName, failureMessages }) => ({
      file,
      test: fullName,
      message: (failureMessages ?? []).join("\n"),
    }));
  });
  return { passed: report.numPassedTests, failures };
}

const specSchema = z.object({
  title: z.string(),
  file: z.string(),
  ok: z.boolean(),
  tests: z.array(
    z.object({
      results: z.array(z.object({ errors: z.array(z.object({ message: z.string().optional() })) })),
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
  const failures = report.suites
    .flatMap(listSpecs)
    .filter(({ ok }) => !ok)
    .map(({ file, title, tests }) => ({
      file,
      test: title,
      message: tests
        .flatMap(({ results }) =>
          results.flatMap(({ errors }) => errors.map(({ message = "" }) => message)),
        )
        .join("\n"),
    }));
  return { passed: report.stats.expected, failures };
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
