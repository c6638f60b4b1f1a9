// All checks, or with --fast the quick ones. The last line is the sum of every runner: `N passed, N failed`.
import { spawn } from "node:child_process";
import { mkdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { findBrowser } from "./support/browser.ts";

type Count = { passed: number; failed: number };
type Step = { name: string; run(): Promise<Count> };

const reports = "test-results";
// Dozens of servers are started; each would compile the same modules anew.
process.env.NODE_COMPILE_CACHE ??= join("node_modules", ".cache", "compiled");
const program = (name: string) => join("node_modules/.bin", name);

const vitestReport = z.object({ numPassedTests: z.number(), numFailedTests: z.number() });
const playwrightReport = z.object({
  stats: z.object({ expected: z.number(), unexpected: z.number(), flaky: z.number() }),
});

/** A tool that only says yes or no counts as one check. */
const check = (name: string, ...commands: string[][]): Step => ({
  name,
  async run() {
    for (const [command = "", ...args] of commands) {
      if ((await spawned(command, args)) !== 0) return { passed: 0, failed: 1 };
    }
    return { passed: 1, failed: 0 };
  },
});

/** Steps that neither wait for nor disturb each other. */
const together = (...parts: Step[]): Step => ({
  name: parts.map(({ name }) => name).join(", "),
  async run() {
    const counts = await Promise.all(parts.map((part) => part.run()));
    return {
      passed: counts.reduce((sum, { passed }) => sum + passed, 0),
      failed: counts.reduce((sum, { failed }) => sum + failed, 0),
    };
  },
});

const vitest = (name: string, ...args: string[]): Step => ({
  name,
  async run() {
    const file = join(reports, "vitest.json");
    const code = await spawned("vitest", [
      "run",
      "--reporter=default",
      "--reporter=json",
      `--outputFile=${file}`,
      ...args,
    ]);
    const { numPassedTests, numFailedTests } = vitestReport.parse(JSON.parse(await readFile(file, "utf8")));
    return orFailed({ passed: numPassedTests, failed: numFailedTests }, code);
  },
});

const playwright: Step = {
  name: "End to end, in a browser",
  async run() {
    process.env.CHROMIUM_PATH = findBrowser();
    const code = await spawned("playwright", ["test"]);
    const { stats } = playwrightReport.parse(
      JSON.parse(await readFile(join(reports, "report.json"), "utf8")),
    );
    // A test that passes only the second time is a bug too.
    return orFailed({ passed: stats.expected, failed: stats.unexpected + stats.flaky }, code);
  },
};

/** A runner that fails without naming a test (a crash, a file that does not load) has failed all the same. */
const orFailed = (count: Count, code: number): Count =>
  code !== 0 && count.failed === 0 ? { ...count, failed: 1 } : count;

const quick = [
  check("Format and lint", ["biome", "ci", "--error-on-warnings", "."]),
  check("Types", ["react-router", "typegen"], ["tsc"]),
];
const steps = process.argv.includes("--fast")
  ? [...quick, vitest("Unit tests", "--project=unit")]
  : [
      together(...quick, check("Build", ["node", "server/build.ts"])),
      vitest("Unit and integration tests"),
      playwright,
    ];

await rm(reports, { recursive: true, force: true });
await mkdir(reports, { recursive: true });
const total: Count = { passed: 0, failed: 0 };
for (const { name, run } of steps) {
  console.log(`\n── ${name}`);
  const { passed, failed } = await run().catch((error: unknown): Count => {
    console.error(error);
    return { passed: 0, failed: 1 };
  });
  total.passed += passed;
  total.failed += failed;
}
console.log(`\n${total.passed} passed, ${total.failed} failed`);
process.exitCode = total.failed === 0 ? 0 : 1;

function spawned(command: string, args: string[]): Promise<number> {
  const [file, ...rest] = command === "node" ? [process.execPath, ...args] : [program(command), ...args];
  return new Promise((resolve, reject) => {
    const child = spawn(file ?? "", rest, { stdio: "inherit" });
    child.on("error", reject);
    child.on("exit", (code) => resolve(code ?? 1));
  });
}
