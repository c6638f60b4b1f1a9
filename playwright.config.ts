import { defineConfig } from "@playwright/test";
import { browserFlags, findBrowser } from "./tests/support/browser.ts";

export default defineConfig({
  testDir: "tests/e2e",
  testMatch: "*.spec.ts",
  outputDir: "test-results/e2e",
  // More workers than most CI machines have cores, because many tests wait for the network to be
  // idle.
  workers: 3,
  fullyParallel: true,
  forbidOnly: true,
  // Tests do not measure durations. A test waits until something happens, even on a very busy
  // machine, so these limits are about a hundred times as long as a test usually takes.
  timeout: 400_000,
  expect: { timeout: 100_000 },
  reporter: [["list"], ["json", { outputFile: "test-results/report.json" }]],
  use: {
    // An element that never appears is named long before the test's own limit.
    actionTimeout: 100_000,
    // Set by the global setup, before any worker reads this file.
    baseURL: process.env.E2E_URL,
    launchOptions: { executablePath: findBrowser(), args: browserFlags },
    locale: "en-US",
    timezoneId: "America/New_York",
    // A service worker would answer from the device, and tests could not see its requests. Only
    // offline.spec.ts allows it.
    serviceWorkers: "block",
  },
  globalSetup: "./tests/e2e/start-server.ts",
});
