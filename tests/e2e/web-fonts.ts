import type { Page } from "@playwright/test";

/**
 * Opens a page, and waits until it is shown with our own fonts, so that its layout is the same on
 * every machine.
 */
export async function openWithWebFonts(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await page.evaluate(() => document.fonts.ready);
}
