import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["{app,server,db,cli,tests}/**/*.test.{ts,tsx}"],
    globalSetup: ["tests/support/global-setup.ts"],
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
