import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineConfig } from "@playwright/test";
import { browserFlags, findBrowser } from "./tests/support/browser.ts";

// This file is read once by every process of a run: they must all agree.
process.env.E2E_PORT ??= String(20_000 + (process.pid % 20_000));
process.env.E2E_DATA_DIR ??= mkdtempSync(join(tmpdir(), "harborline-e2e-"));
const url = `http://localhost:${process.env.E2E_PORT}`;

export default defineConfig({
  testDir: "tests/e2e",
  testMatch: "*.spec.ts",
  outputDir: "test-results",
  workers: 2,
  fullyParallel: true,
  forbidOnly: true,
  reporter: [["list"], ["json", { outputFile: "test-results/report.json" }]],
  use: {
    baseURL: url,
    launchOptions: { executablePath: findBrowser(), args: browserFlags },
    locale: "en-US",
    timezoneId: "America/New_York",
  },
  webServer: {
    command: "node server/main.ts",
    url: `${url}/readyz`,
    stderr: "ignore",
    env: { PORT: process.env.E2E_PORT, DATA_DIR: process.env.E2E_DATA_DIR },
    gracefulShutdown: { signal: "SIGTERM", timeout: 5_000 },
  },
});
