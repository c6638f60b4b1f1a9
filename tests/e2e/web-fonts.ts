import type { Page } from "@playwright/test";

/**
 * Makes pages wait for our own fonts, so that their layout is the same on every machine. Otherwise
 * a page uses the fonts of the machine if ours do not arrive in time (`font-display: optional`).
 */
export async function waitForWebFonts(page: Page): Promise<void> {
  await page.route("**/assets/app-*.css", async (route) => {
    const response = await route.fetch();
    const styles = await response.text();
    const body = styles.replaceAll("font-display:optional", "font-display:block");
    if (body === styles) throw new Error("The styles no longer say font-display: optional.");
    await route.fulfill({ response, body });
  });
}

/** Opens a page, and waits until it is shown with our own fonts. */
export async function openWithWebFonts(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await page.evaluate(() => document.fonts.ready);
}
