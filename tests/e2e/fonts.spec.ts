import type { Page } from "@playwright/test";
import { expect, phone, test } from "./support.ts";

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

// Nothing but the stylesheet decides which font is used.
test.use({ javaScriptEnabled: false });

test("a first visit on a slow connection uses fallback fonts of the same size until our fonts arrive", async ({
  page,
}) => {
  await page.setViewportSize(phone);
  const fontsAllowed = Promise.withResolvers<void>();
  await page.route("**/*.woff2", async (route) => {
    await fontsAllowed.promise;
    await route.continue();
  });
  await page.goto("/about", { waitUntil: "domcontentloaded" });
  await expect(page.locator("h1")).toHaveCSS("font-family", /City Serif/);
  // The name of the site does not wait for a font.
  const brand = page.getByRole("banner").getByRole("link", { name: "Harborline Baltimore" });
  await expect(brand.locator("svg")).toBeVisible();
  expect(await readFont(page, "h1")).not.toContain("Newsreader");
  const readHeight = async () => (await page.locator("body").boundingBox())?.height ?? 0;
  const fallbackHeight = await readHeight();

  fontsAllowed.resolve();
  await expect.poll(() => readFont(page, "h1")).toContain("Newsreader");
  await expect.poll(() => readFont(page, "footer p")).toContain("Libre Franklin");
  expect(Math.abs((await readHeight()) / fallbackHeight - 1)).toBeLessThan(0.02);
});
