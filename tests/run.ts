// Runs all checks, or with --fast only the quick ones. The output ends with the names of the tests
// that failed, the slowest files and, as the last line, the total of all runners:
// `N passed, N failed`.
import { spawn } from "node:child_process";
import { mkdir, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { describeBrowser, findBrowser } from "./support/browser.ts";
import {
  listSlowest,
  type Outcome,
  readPlaywrightReport,
  readVitestReport,
  summarize,
} from "./support/test-reports.ts";

type Step = { name: string; run(): Promise<Outcome> };

const reportsFolder = "test-results";
const listedFiles = 10;
/** Both runners copy what is in this folder: see tests/support/templates.ts. */
const templatesFolder = resolve(reportsFolder, "templates");
process.env.TEST_TEMPLATES = templatesFolder;
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
    return { passed: 1, failures: [], durations: [] };
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
      durations: outcomes.flatMap(({ durations }) => durations),
    };
  },
});

const vitestStep = (name: string, ...args: string[]): Step => ({
  name,
  async run() {
    process.env.REPORT_FILE = join(reportsFolder, "vitest.json");
    const reporters = ["--reporter=default", "--reporter=./tests/support/vitest-reporter.ts"];
    const code = await runProgram("vitest", ["run", ...reporters, ...args]);
    return failIfExitCode(name, await readVitestReport(process.env.REPORT_FILE), code);
  },
});

/** Programs are downloaded and installed while the build computes. */
const programsStep: Step = {
  name: "Programs",
  async run() {
    await runProgram("node", ["tests/support/install-programs.ts"]);
    return { passed: 0, failures: [], durations: [] };
  },
};

/** Before the long steps, because the browser decides what the last one can show. */
const browserStep: Step = {
  name: "Browser",
  async run() {
    process.env.CHROMIUM_PATH = findBrowser();
    console.log(describeBrowser(process.env.CHROMIUM_PATH));
    return { passed: 0, failures: [], durations: [] };
  },
};

const playwrightStep: Step = {
  name: "End to end, in a browser",
  async run() {
    const code = await runProgram("playwright", ["test"]);
    const report = await readPlaywrightReport(join(reportsFolder, "report.json"));
    return failIfExitCode(this.name, report, code);
  },
};

const failedOutcome = (test: string, message: string): Outcome => ({
  passed: 0,
  failures: [{ file: "tests/run.ts", test, message }],
  durations: [],
});

/**
 * Counts a runner that fails without naming a test (a crash, an error outside a test) as one
 * failure.
 */
const failIfExitCode = (name: string, outcome: Outcome, code: number): Outcome =>
  code !== 0 && outcome.failures.length === 0
    ? { ...outcome, failures: failedOutcome(name, `exited with code ${code}`).failures }
    : outcome;

const quickSteps = [
  checkStep("Format and lint", ["biome", "ci", "--error-on-warnings", "."]),
  checkStep("Types", ["react-router", "typegen"], ["tsc"]),
];
const steps = process.argv.includes("--fast")
  ? [parallelStep(...quickSteps, vitestStep("Unit tests", "--project=unit"))]
  : [
      parallelStep(
        programsStep,
        checkStep(
          "Build",
          ["node", "server/process/build.ts"],
          ["node", "tests/support/templates.ts", templatesFolder],
        ),
      ),
      browserStep,
      // The tests often wait, for servers as for pages. Together they keep every core busy.
      parallelStep(...quickSteps, vitestStep("Unit and integration tests"), playwrightStep),
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
if (failures.length > 0) console.log(`\n── Failed\n\n${failures.map(summarize).join("\n\n")}`);
const durations = outcomes.flatMap((outcome) => outcome.durations);
console.log(`\n── Slowest files\n\n${listSlowest(durations, listedFiles)}`);
console.log(`\n${passed} passed, ${failures.length} failed`);
process.exitCode = failures.length === 0 ? 0 : 1;

function runProgram(command: string, args: string[]): Promise<number> {
  const [file, ...rest] =
    command === "node" ? [process.execPath, ...args] : [programPath(command), ...args];
  return new Promise((resolve, reject) => {
    // Not to the terminal itself, where each of two runners would overwrite the lines of the other.
    const child = spawn(file ?? "", rest, { stdio: ["ignore", "pipe", "inherit"] });
    child.stdout.pipe(process.stdout, { end: false });
    child.on("error", reject);
    child.on("exit", (code) => resolve(code ?? 1));
  });
}
