import type { Page } from "@playwright/test";
import { expect, phone, test, waitForHydration } from "./support.ts";

/** Returns the font that the browser actually uses for an element. */
async function readFont(page: Page, selector: string): Promise<string> {
  const session = await page.context().newCDPSession(page);
  await session.send("DOM.enable");
  await session.send("CSS.enable");
  const { root } = await session.send("DOM.getDocument");
  const { nodeId } = await session.send("DOM.querySelector", { nodeId: root.nodeId, selector });
  const { fonts } = await session.send("CSS.getPlatformFontsForNode", { nodeId });
  await session.detach();
  return fonts.map(({ familyName }) => familyName).join(", ");
}

test("a first visit on a slow connection uses fallback fonts of the same size, and the next page uses our fonts", async ({
  page,
}) => {
  await page.setViewportSize(phone);
  const fontsAllowed = Promise.withResolvers<void>();
  await page.route("**/*.woff2", async (route) => {
    await fontsAllowed.promise;
    await route.continue();
  });
  await page.goto("/about", { waitUntil: "domcontentloaded" });
  await waitForHydration(page);
  // The name of the site does not wait for a font.
  const brand = page.getByRole("banner").getByRole("link", { name: "Harborline Baltimore" });
  await expect(brand.locator("svg")).toBeVisible();
  expect(await readFont(page, "h1")).not.toContain("Newsreader");
  const readHeight = () => page.evaluate(() => document.documentElement.scrollHeight);
  const fallbackHeight = await readHeight();

  const loaded = page.evaluate(() => document.fonts.ready);
  fontsAllowed.resolve();
  await loaded;
  expect(await readFont(page, "h1")).not.toContain("Newsreader");
  await page.getByRole("contentinfo").getByRole("link", { name: "Terms" }).click();
  await expect(page).toHaveURL(/\/terms$/);
  // React may replace the heading while its font is read.
  await expect(async () => {
    expect(await readFont(page, "h1")).toContain("Newsreader");
  }).toPass();
  expect(await readFont(page, "main p")).toContain("Libre Franklin");

  // The browser uses a cached font only if it is ready at the first paint, which a busy machine may
  // miss.
  await expect(async () => {
    await page.goto("/about");
    expect(await readFont(page, "h1")).toContain("Newsreader");
  }).toPass();
  expect(Math.abs((await readHeight()) / fallbackHeight - 1)).toBeLessThan(0.02);
});
