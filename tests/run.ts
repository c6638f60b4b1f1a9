// Runs all checks, or with --fast only the quick ones. The output ends with the names of the tests
// that failed and, as the last line, the total of all runners: `N passed, N failed`.
import { spawn } from "node:child_process";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { findBrowser } from "./support/browser.ts";
import {
  type Failure,
  type Outcome,
  readPlaywrightReport,
  readVitestReport,
  summarize,
} from "./support/test-reports.ts";

type Step = { name: string; run(): Promise<Outcome> };

const reports = "test-results";
/** If more tests than this fail, they are not run again: that is not bad luck. */
const maxRetried = 3;
const flaky: Failure[] = [];
// The tests start dozens of servers, and each would compile the same modules again.
process.env.NODE_COMPILE_CACHE ??= join("node_modules", ".cache", "compiled");
const program = (name: string) => join("node_modules/.bin", name);

/** A tool that only passes or fails counts as one check. */
const check = (name: string, ...commands: string[][]): Step => ({
  name,
  async run() {
    for (const [command = "", ...args] of commands) {
      if ((await runProgram(command, args)) !== 0)
        return failed(name, `${command} ${args.join(" ")}`);
    }
    return { passed: 1, failures: [] };
  },
});

/** Runs steps in parallel that do not depend on each other. */
const inParallel = (...parts: Step[]): Step => ({
  name: parts.map(({ name }) => name).join(", "),
  async run() {
    const outcomes = await Promise.all(parts.map((part) => part.run()));
    return {
      passed: outcomes.reduce((sum, { passed }) => sum + passed, 0),
      failures: outcomes.flatMap(({ failures }) => failures),
    };
  },
});

const vitest = (name: string, ...args: string[]): Step => ({
  name,
  run() {
    const report = join(reports, "vitest.json");
    const tests = [
      "run",
      "--reporter=default",
      "--reporter=json",
      `--outputFile=${report}`,
      ...args,
    ];
    return retryFailed(name, async (again) => {
      const code = await runProgram("vitest", [
        ...tests,
        ...new Set(again.map(({ file }) => file)),
      ]);
      return failIfExitCode(name, await readVitestReport(report), code);
    });
  },
});

const playwright: Step = {
  name: "End to end, in a browser",
  run() {
    process.env.CHROMIUM_PATH = findBrowser();
    return retryFailed(this.name, async (again) => {
      const code = await runProgram("playwright", [
        "test",
        ...(again.length > 0 ? ["--last-failed"] : []),
      ]);
      return failIfExitCode(
        this.name,
        await readPlaywrightReport(join(reports, "report.json")),
        code,
      );
    });
  },
};

/**
 * Runs failed tests once more, without the others, if there are only a few. Tests that pass then
 * are listed at the end: each is a bug to fix, but not a reason to fail the run.
 */
async function retryFailed(
  name: string,
  run: (again: Failure[]) => Promise<Outcome>,
): Promise<Outcome> {
  const first = await run([]);
  if (first.failures.length === 0 || first.failures.length > maxRetried) return first;
  console.log(`\n── ${name}: running the failed tests again`);
  const { failures } = await run(first.failures);
  const passedNow = first.failures.filter(
    ({ file, test }) => !failures.some((again) => again.file === file && again.test === test),
  );
  flaky.push(...passedNow);
  return { passed: first.passed + passedNow.length, failures };
}

const failed = (test: string, message: string): Outcome => ({
  passed: 0,
  failures: [{ file: "tests/run.ts", test, message }],
});

/**
 * A runner that fails without naming a test (a crash, an error outside a test) counts as one
 * failure.
 */
const failIfExitCode = (name: string, outcome: Outcome, code: number): Outcome =>
  code !== 0 && outcome.failures.length === 0
    ? { ...failed(name, `exited with code ${code}`), passed: outcome.passed }
    : outcome;

const quick = [
  check("Format and lint", ["biome", "ci", "--error-on-warnings", "."]),
  check("Types", ["react-router", "typegen"], ["tsc"]),
];
const steps = process.argv.includes("--fast")
  ? [...quick, vitest("Unit tests", "--project=unit")]
  : [
      inParallel(...quick, check("Build", ["node", "server/process/build.ts"])),
      vitest("Unit and integration tests"),
      playwright,
    ];

await rm(reports, { recursive: true, force: true });
await mkdir(reports, { recursive: true });
const outcomes: Outcome[] = [];
for (const step of steps) {
  console.log(`\n── ${step.name}`);
  outcomes.push(await step.run().catch((error: unknown) => failed(step.name, String(error))));
}
const passed = outcomes.reduce((sum, outcome) => sum + outcome.passed, 0);
const failures = outcomes.flatMap((outcome) => outcome.failures);
if (flaky.length > 0)
  console.log(`\n── Flaky: passed only on the second run\n\n${flaky.map(summarize).join("\n\n")}`);
if (failures.length > 0) console.log(`\n── Failed\n\n${failures.map(summarize).join("\n\n")}`);
console.log(`\n${passed} passed, ${failures.length} failed`);
process.exitCode = failures.length === 0 ? 0 : 1;

function runProgram(command: string, args: string[]): Promise<number> {
  const [file, ...rest] =
    command === "node" ? [process.execPath, ...args] : [program(command), ...args];
  return new Promise((resolve, reject) => {
    const child = spawn(file ?? "", rest, { stdio: "inherit" });
    child.on("error", reject);
    child.on("exit", (code) => resolve(code ?? 1));
  });
}
