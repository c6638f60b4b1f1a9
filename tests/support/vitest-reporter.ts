import { writeFileSync } from "node:fs";
import { relative } from "node:path";
import type { Reporter, TestCase, TestModule } from "vitest/node";
import type { Failure, Outcome } from "./test-reports.ts";

/** Writes what Vitest has run to the file REPORT_FILE, in the format of tests/run.ts. */
export default class OutcomeReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const outcome: Outcome = {
      passed: tests.filter((test) => test.result().state === "passed").length,
      failures: modules.flatMap(listFailures),
      durations: modules.map((module) => {
        const { collectDuration, setupDuration, duration } = module.diagnostic();
        return { file: fileOf(module), ms: collectDuration + setupDuration + duration };
      }),
    };
    writeFileSync(process.env.REPORT_FILE ?? "", JSON.stringify(outcome));
  }
}

const fileOf = ({ moduleId }: TestModule) => relative(".", moduleId);

function listFailures(module: TestModule): Failure[] {
  const file = fileOf(module);
  const failures = [...module.children.allTests("failed")].map((test) => ({
    file,
    test: test.fullName,
    message: joinErrors(test.result().errors),
  }));
  // A file that does not load, or whose hook fails, may have no failed test.
  return module.ok() || failures.length > 0
    ? failures
    : [{ file, test: "the entire file", message: joinErrors(listErrors(module)) }];
}

const listErrors = (module: TestModule) => [
  ...module.errors(),
  ...[...module.children.allSuites()].flatMap((suite) => suite.errors()),
];

const joinErrors = (errors: ReturnType<TestCase["result"]>["errors"]) =>
  (errors ?? []).map(({ message, stack }) => [message, stack].join("\n")).join("\n");
