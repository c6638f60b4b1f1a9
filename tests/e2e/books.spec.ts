import { test as baseTest } from "@playwright/test";
import { expect, stopClock, test, waitForHydration } from "./support.ts";

test.describe("the books page", () => {
  test("has 2, 3, 4 or 5 columns, depending on the screen width, and no donation pop-up", async ({
    page,
  }) => {
    await stopClock(page);
    await page.goto("/books");
    await waitForHydration(page);
    for (const [width, columns] of [
      [390, 2],
      [800, 3],
      [1100, 4],
      [1440, 5],
    ] as const) {
      await page.setViewportSize({ width, height: 900 });
      const tops = await page
        .locator("main li")
        .evaluateAll((items) => items.map((item) => item.getBoundingClientRect().top));
      expect(tops.filter((top) => top === tops[0]).length, `at ${width} px`).toBe(columns);
    }
    await page.clock.runFor(60_000);
    await expect(page.getByRole("complementary")).toHaveCount(0);
  });

  for (const when of ["before React starts", "later"]) {
    baseTest(
      `shows a placeholder for a cover that fails to load ${when}`,
      async ({ page, baseURL }) => {
        await page.route("**/covers/the-raven.svg", (route) => route.abort());
        if (when === "later") await page.setViewportSize({ width: 390, height: 400 });
        else await page.setViewportSize({ width: 1440, height: 9_000 });
        await page.goto(`${baseURL}/books`);
        await waitForHydration(page);
        const cover = page.locator("li", { hasText: "The Raven" }).first().locator("img");
        await cover.scrollIntoViewIfNeeded();
        await expect(cover).toHaveAttribute("src", "/covers/placeholder.svg");
        await expect
          .poll(() => cover.evaluate((image: HTMLImageElement) => image.naturalWidth))
          .toBeGreaterThan(0);
      },
    );
  }
});

baseTest("an image that fails to load leaves no broken-image icon", async ({ page, baseURL }) => {
  await page.route("**/art/{lantern,soup,market,marble,blog,hero}*", (route) => route.abort());
  await page.setViewportSize({ width: 1440, height: 6_000 });
  await page.goto(`${baseURL}/`);
  await waitForHydration(page);
  const countBroken = () =>
    page
      .locator("main img")
      .evaluateAll(
        (images: HTMLImageElement[]) =>
          images.filter(({ complete, naturalWidth }) => complete && naturalWidth === 0).length,
      );
  await expect.poll(countBroken).toBe(0);
  await expect(page.locator(".hero-image")).toHaveCount(0);
});
