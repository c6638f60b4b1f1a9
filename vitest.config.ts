import { defineConfig } from "vitest/config";

const withDatabase = ["{app,db}/**/*.db.test.ts", "tests/integration/**/*.test.ts"];

export default defineConfig({
  test: {
    // Twice the cores there may be: these tests mostly wait for servers to start, and for time to
    // pass.
    maxWorkers: 4,
    // How long something takes is measured in bench/; a test waits until it happens, also on a busy
    // machine.
    expect: { poll: { timeout: 15_000 } },
    projects: [
      {
        test: {
          name: "unit",
          include: ["{app,server,db,cli,tests}/**/*.test.{ts,tsx}"],
          exclude: withDatabase,
          testTimeout: 60_000,
        },
      },
      {
        test: {
          name: "integration",
          include: withDatabase,
          globalSetup: ["tests/support/global-setup.ts"],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
