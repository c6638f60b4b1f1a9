import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import AxeBuilder from "@axe-core/playwright";
import { test as base, type ConsoleMessage, expect, type Page } from "@playwright/test";

/**
 * Makes every test fail on a console error, a missing file, or a request to another site. Each test
 * has an IP address of its own, because a whole run sends more requests than the server accepts from
 * one visitor.
 */
export const test = base.extend<{ problems: string[] }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture's dependencies from this parameter, and this fixture has none
  extraHTTPHeaders: async ({}, use, { testId, repeatEachIndex }) => {
    const [a, b, c] = createHash("sha256").update(`${testId} ${repeatEachIndex}`).digest();
    await use({ "X-Forwarded-For": `10.${a}.${b}.${c}` });
  },
  problems: [
    async ({ page, baseURL }, use) => {
      const problems = watchProblems(page, baseURL);
      await use(problems);
      expect(problems).toEqual([]);
    },
    { auto: true },
  ],
});

/** Collects console errors, missing files and requests to another site. */
function watchProblems(page: Page, baseURL: string | undefined): string[] {
  const problems: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error" && !isPageStatus(message) && !isOffline(message))
      problems.push(message.text());
  });
  page.on("pageerror", (error) => problems.push(String(error)));
  page.on("request", (request) => {
    if (baseURL && !request.url().startsWith(baseURL))
      problems.push(`request to another site: ${request.url()}`);
  });
  return problems;
}

/**
 * Returns whether a console error only reports the status of a page. The browser logs a page with
 * status 404 or 422 as an error, but such a status can be what the test expects.
 */
function isPageStatus(message: ConsoleMessage): boolean {
  const { pathname } = new URL(message.location().url || "about:blank");
  return (
    message.text().startsWith("Failed to load resource") &&
    !/^\/(assets|art|photos)\//.test(pathname)
  );
}

/** A test that goes offline cannot know which parts of the page are still to be loaded. */
const isOffline = (message: ConsoleMessage) =>
  message.text().includes("net::ERR_INTERNET_DISCONNECTED");

export { expect };

/** Waits until React has hydrated the page, so that everything that needs JavaScript works. */
export async function waitForHydration(page: Page): Promise<void> {
  await page.locator("[popover=manual][data-live]").waitFor({ state: "attached" });
}

const axeFile = createRequire(import.meta.url).resolve("axe-core/axe.min.js");
const axeSource = readFileSync(axeFile, "utf8");

/**
 * Runs axe in the page itself, with details only about violations. By default axe analyzes the
 * results again in a blank page and describes every node that passes, which is three times the
 * work. In this mode it skips cross-origin iframes, which no page loads.
 */
export const createAxe = (page: Page) =>
  new AxeBuilder({ page, axeSource }).options({ resultTypes: ["violations"] }).setLegacyMode();

export const phone = { width: 390, height: 844 };
export const desktop = { width: 1440, height: 900 };

/**
 * Stops the page's clock before the page loads. After that, time passes only with
 * `page.clock.runFor`.
 */
export async function stopClock(page: Page): Promise<void> {
  await page.clock.install({ time: "2026-11-15T12:00:00-05:00" });
  // The fake clock runs until it is paused, and can only be paused at a time in its future.
  await page.clock.pauseAt("2026-11-15T12:01:00-05:00");
}
