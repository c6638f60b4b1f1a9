import type { Locator } from "@playwright/test";
import { desktop, expect, phone, test, waitForHydration } from "./support.ts";
import { openWithWebFonts } from "./web-fonts.ts";

/** Returns whether all five rows of a feed are completely visible inside its box. */
const areRowsVisible = (box: Locator) =>
  box.evaluate((element) => {
    const { top, bottom } = element.getBoundingClientRect();
    const rows = [...element.querySelectorAll("article")].map((row) => row.getBoundingClientRect());
    return rows.length === 5 && rows.every((row) => row.top >= top && row.bottom <= bottom);
  });

const readHeight = async (box: Locator) => (await box.boundingBox())?.height;

test("a feed shows five complete rows in 400 pixels and all rows in 800, without moving the page, and grows with the text", async ({
  page,
}) => {
  await openWithWebFonts(page, "/local");
  await waitForHydration(page);
  const feed = page.locator("#local");
  const box = page.locator("#local-list");
  const button = feed.getByRole("button");
  for (const width of [320, 390, 820, 1440]) {
    await page.setViewportSize({ width, height: 844 });
    expect(await readHeight(box), `${width}`).toBe(400);
    expect(await areRowsVisible(box), `${width}`).toBe(true);
    const linkHeights = await box
      .getByRole("link")
      .evaluateAll((all) => all.map((link) => link.clientHeight));
    expect(Math.min(...linkHeights), `${width}`).toBeGreaterThanOrEqual(24);
  }
  // At twice the text size, the rows are complete and no title is cut off.
  const setTextSize = (size: string) =>
    page.evaluate((fontSize) => {
      document.documentElement.style.fontSize = fontSize;
    }, size);
  await setTextSize("200%");
  for (const width of [320, 390, 1440]) {
    await page.setViewportSize({ width, height: 844 });
    expect(await areRowsVisible(box), `${width}`).toBe(true);
    expect(await readHeight(box), `${width}`).toBeGreaterThanOrEqual(800);
    const cutTextCount = await box
      .locator(".feed-row-title, .feed-row-source")
      .evaluateAll(
        (all) => all.filter((element) => element.scrollHeight > element.clientHeight + 1).length,
      );
    expect(cutTextCount, `${width}`).toBe(0);
  }
  await setTextSize("");
  await page.setViewportSize(phone);
  await expect(button).toHaveText("See All: Baltimore headlines");
  await expect(button).toHaveAttribute("aria-expanded", "false");
  // Wherever the button is on the screen, the lines that the reader has just read stay where they
  // are, and the button covers nothing.
  const readLines = () =>
    box
      .locator(".feed-row-title, .feed-row-source")
      .evaluateAll((lines) => lines.slice(0, 10).map((line) => line.getBoundingClientRect().y));
  for (const block of ["end", "center"] as const) {
    await button.evaluate((element, to) => element.scrollIntoView({ block: to }), block);
    const linesBefore = await readLines();
    await button.click();
    await expect(button).toHaveText("Show Less: Baltimore headlines");
    await expect(button).toBeFocused();
    await expect(button).toHaveAttribute("aria-expanded", "true");
    expect(await readHeight(box)).toBe(800);
    expect(await box.getByRole("article").count()).toBeGreaterThanOrEqual(8);
    expect(await readLines()).toEqual(linesBefore);
    const [boxArea, buttonArea] = [await box.boundingBox(), await button.boundingBox()];
    expect(buttonArea?.y).toBeGreaterThan((boxArea?.y ?? 0) + 800);
    await expect(page).toHaveURL(/\/local\?all=local$/);
    // The same without scrolling to the button, which is below the box.
    await page.keyboard.press("Enter");
    await expect(box.getByRole("article")).toHaveCount(5);
    await expect(button).toBeFocused();
    expect(await readLines()).toEqual(linesBefore);
    await expect(page).toHaveURL(/\/local$/);
  }
  // The box also scrolls by keyboard.
  await button.click();
  await box.getByRole("link").first().focus();
  await page.keyboard.press("End");
  await expect.poll(() => box.evaluate((element) => element.scrollTop)).toBeGreaterThan(0);
  await page.reload();
  await expect(button).toHaveText("Show Less: Baltimore headlines");
});

test("a newsroom is followed with one press of Follow", async ({ page }) => {
  await page.goto("/local");
  await waitForHydration(page);
  await page.getByText(/^(We follow|From) \d+ newsrooms$/).click();
  await page.getByRole("link", { name: "Follow Baltimore Brew" }).click();
  const panel = page.getByRole("dialog", { name: "Follow Baltimore Brew" });
  await expect(panel.getByRole("link", { name: "RSS" })).toBeVisible();
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("pages have the right number of ad slots, and fewer on a phone", async ({ page }) => {
    await page.setViewportSize(desktop);
    const visibleSlots = page.locator("main :is([data-ad-slot], [data-ad-type]):visible");
    await page.goto("/news");
    await expect(visibleSlots).toHaveCount(7);
    const ids = await page
      .locator("[data-ad-slot]")
      .evaluateAll((all) => all.map((slot) => slot.getAttribute("data-ad-slot")));
    expect(new Set(ids).size).toBe(ids.length);
    await expect(page.locator(".ad-column [data-ad-slot]")).toHaveCSS("min-height", "600px");
    await page.setViewportSize(phone);
    await expect(visibleSlots).toHaveCount(2);
    await page.goto("/politics");
    await expect(visibleSlots).toHaveCount(1);
    await page.setViewportSize(desktop);
    await expect(visibleSlots).toHaveCount(3);
  });
});
