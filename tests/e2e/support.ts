import AxeBuilder from "@axe-core/playwright";
import { test as base, type ConsoleMessage, expect, type Page } from "@playwright/test";

/**
 * Every test fails on an error in the console, on a file that is missing, and on a request that
 * leaves the site.
 */
export const test = base.extend<{ faults: string[] }>({
  faults: [
    async ({ page, baseURL }, use) => {
      const faults: string[] = [];
      page.on("console", (message) => {
        if (message.type() === "error" && !isPageStatus(message)) faults.push(message.text());
      });
      page.on("pageerror", (error) => faults.push(String(error)));
      page.on("request", (request) => {
        if (baseURL && !request.url().startsWith(baseURL))
          faults.push(`left the site: ${request.url()}`);
      });
      await use(faults);
      expect(faults).toEqual([]);
    },
    { auto: true },
  ],
});

/**
 * The browser notes a page that answers 404 or 422 as an error of its own; for a page that may be
 * right.
 */
function isPageStatus(message: ConsoleMessage): boolean {
  const { pathname } = new URL(message.location().url || "about:blank");
  return (
    message.text().startsWith("Failed to load resource") && !/^\/(assets|art)\//.test(pathname)
  );
}

export { expect };

/** React has taken over the page: what only JavaScript does works from here on. */
export async function hydrated(page: Page): Promise<void> {
  await page.locator("[popover=manual][data-live]").waitFor({ state: "attached" });
}

/**
 * Axe in the page itself, with details of violations only. Otherwise axe analyzes the results once
 * more in a blank page, and describes every node that is right: three times the work. It then skips
 * frames of other sites, which no page loads.
 */
export const createAxe = (page: Page) =>
  new AxeBuilder({ page }).options({ resultTypes: ["violations"] }).setLegacyMode();

export const phone = { width: 390, height: 844 };
export const desktop = { width: 1440, height: 900 };

/** Stops the page's clock before it loads: from then on time passes only by `page.clock.runFor`. */
export async function stopClock(page: Page): Promise<void> {
  await page.clock.install({ time: "2026-11-15T12:00:00-05:00" });
  // The fake clock ticks on its own until it is stopped, and can only be stopped ahead of where it
  // is.
  await page.clock.pauseAt("2026-11-15T12:01:00-05:00");
}
