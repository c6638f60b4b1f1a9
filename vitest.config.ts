import { defineConfig } from "vitest/config";

const databaseTests = ["{app,server,db}/**/*.db.test.ts", "tests/integration/**/*.test.ts"];

export default defineConfig({
  test: {
    // More workers than most machines have cores, because these tests mostly wait for servers and
    // commands.
    maxWorkers: 4,
    // Tests do not measure durations (bench/ does). A test waits until something happens, even on a
    // very busy machine, so these limits are about a hundred times as long as a test usually takes.
    // Many polls read a dozen pages, so polls as frequent as Vitest's are half of the work.
    expect: { poll: { timeout: 200_000, interval: 250 } },
    testTimeout: 400_000,
    hookTimeout: 400_000,
    // The files share their modules, because much of the time was spent on loading these. A test
    // undoes what it changes outside its own file.
    isolate: false,
    projects: [
      {
        extends: true,
        test: {
          name: "unit",
          include: ["{app,server,db,cli,tests}/**/*.test.{ts,tsx}"],
          exclude: databaseTests,
        },
      },
      {
        extends: true,
        test: {
          name: "integration",
          include: databaseTests,
          globalSetup: ["tests/support/global-setup.ts"],
          // The built-in database starts in two thirds of the CPU time if V8 does not optimize it.
          execArgv: ["--liftoff-only"],
        },
      },
    ],
  },
});
