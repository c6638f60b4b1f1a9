import { desktop, expect, test } from "./support.ts";

test.use({ viewport: desktop });

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? "with JavaScript" : "without JavaScript", () => {
    test.use({ javaScriptEnabled });

    test("the search box leads to a page that says what was asked and how to go on", async ({ page }) => {
      await page.goto("/about");
      await page
        .getByRole("banner")
        .getByRole("searchbox", { name: "Search" })
        .fill("  <b>crab</b>   cakes & beer ");
      await page.keyboard.press("Enter");
      await expect(page).toHaveURL(/\/search\?q=/);
      await expect(page.getByRole("main")).toContainText("“<b>crab</b> cakes & beer”");
      await expect(page.getByRole("main").getByRole("link", { name: "Local" })).toBeVisible();
      await expect(page.locator('meta[name="robots"]')).toHaveAttribute("content", "noindex");
    });
  });
}

test("an empty query gets help, not an error", async ({ page }) => {
  for (const path of ["/search", "/search?q=", "/search?q=%20%20"]) {
    expect((await page.goto(path))?.status()).toBe(200);
    await expect(page.getByRole("main")).toContainText("Type a word, a name or a neighborhood");
  }
});
