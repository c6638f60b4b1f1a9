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

const reportsFolder = "test-results";
/**
 * If more tests than this fail, they are not run again, because so many failures are not a
 * coincidence.
 */
const maxRetriedTests = 3;
const flakyTests: Failure[] = [];
// The tests start dozens of servers, and without a cache each would compile the same modules again.
process.env.NODE_COMPILE_CACHE ??= join("node_modules", ".cache", "compiled");
const programPath = (name: string) => join("node_modules/.bin", name);

/** Creates a step for a tool that only passes or fails. It counts as one test. */
const checkStep = (name: string, ...commands: string[][]): Step => ({
  name,
  async run() {
    for (const [command = "", ...args] of commands) {
      if ((await runProgram(command, args)) !== 0)
        return failedOutcome(name, `${command} ${args.join(" ")}`);
    }
    return { passed: 1, failures: [] };
  },
});

/** Creates a step that runs other steps in parallel. They must not depend on each other. */
const parallelStep = (...parts: Step[]): Step => ({
  name: parts.map(({ name }) => name).join(", "),
  async run() {
    const outcomes = await Promise.all(parts.map((part) => part.run()));
    return {
      passed: outcomes.reduce((sum, { passed }) => sum + passed, 0),
      failures: outcomes.flatMap(({ failures }) => failures),
    };
  },
});

const vitestStep = (name: string, ...args: string[]): Step => ({
  name,
  run() {
    const report = join(reportsFolder, "vitest.json");
    const tests = [
      "run",
      "--reporter=default",
      "--reporter=json",
      `--outputFile=${report}`,
      ...args,
    ];
    return retryFailed(name, async (failedTests) => {
      const code = await runProgram("vitest", [
        ...tests,
        ...new Set(failedTests.map(({ file }) => file)),
      ]);
      return failIfExitCode(name, await readVitestReport(report), code);
    });
  },
});

const playwrightStep: Step = {
  name: "End to end, in a browser",
  run() {
    process.env.CHROMIUM_PATH = findBrowser();
    return retryFailed(this.name, async (failedTests) => {
      const code = await runProgram("playwright", [
        "test",
        ...(failedTests.length > 0 ? ["--last-failed"] : []),
      ]);
      return failIfExitCode(
        this.name,
        await readPlaywrightReport(join(reportsFolder, "report.json")),
        code,
      );
    });
  },
};

/**
 * Runs the failed tests once more, without the others, if there are only a few. Tests that pass the
 * second time are listed at the end: each is a bug to fix, but not a reason to fail the run.
 */
async function retryFailed(
  name: string,
  run: (failedTests: Failure[]) => Promise<Outcome>,
): Promise<Outcome> {
  const firstRun = await run([]);
  if (firstRun.failures.length === 0 || firstRun.failures.length > maxRetriedTests) return firstRun;
  console.log(`\n── ${name}: running the failed tests again`);
  const { failures } = await run(firstRun.failures);
  const passedOnRetry = firstRun.failures.filter(
    ({ file, test }) => !failures.some((failure) => failure.file === file && failure.test === test),
  );
  flakyTests.push(...passedOnRetry);
  return { passed: firstRun.passed + passedOnRetry.length, failures };
}

const failedOutcome = (test: string, message: string): Outcome => ({
  passed: 0,
  failures: [{ file: "tests/run.ts", test, message }],
});

/**
 * Counts a runner that fails without naming a test (a crash, an error outside a test) as one
 * failure.
 */
const failIfExitCode = (name: string, outcome: Outcome, code: number): Outcome =>
  code !== 0 && outcome.failures.length === 0
    ? { ...failedOutcome(name, `exited with code ${code}`), passed: outcome.passed }
    : outcome;

const quickSteps = [
  checkStep("Format and lint", ["biome", "ci", "--error-on-warnings", "."]),
  checkStep("Types", ["react-router", "typegen"], ["tsc"]),
];
const steps = process.argv.includes("--fast")
  ? [...quickSteps, vitestStep("Unit tests", "--project=unit")]
  : [
      parallelStep(...quickSteps, checkStep("Build", ["node", "server/process/build.ts"])),
      vitestStep("Unit and integration tests"),
      playwrightStep,
    ];

await rm(reportsFolder, { recursive: true, force: true });
await mkdir(reportsFolder, { recursive: true });
const outcomes: Outcome[] = [];
for (const step of steps) {
  console.log(`\n── ${step.name}`);
  outcomes.push(
    await step.run().catch((error: unknown) => failedOutcome(step.name, String(error))),
  );
}
const passed = outcomes.reduce((sum, outcome) => sum + outcome.passed, 0);
const failures = outcomes.flatMap((outcome) => outcome.failures);
if (flakyTests.length > 0)
  console.log(
    `\n── Flaky: passed only on the second run\n\n${flakyTests.map(summarize).join("\n\n")}`,
  );
if (failures.length > 0) console.log(`\n── Failed\n\n${failures.map(summarize).join("\n\n")}`);
console.log(`\n${passed} passed, ${failures.length} failed`);
process.exitCode = failures.length === 0 ? 0 : 1;

function runProgram(command: string, args: string[]): Promise<number> {
  const [file, ...rest] =
    command === "node" ? [process.execPath, ...args] : [programPath(command), ...args];
  return new Promise((resolve, reject) => {
    const child = spawn(file ?? "", rest, { stdio: "inherit" });
    child.on("error", reject);
    child.on("exit", (code) => resolve(code ?? 1));
  });
}
