import { desktop, expect, phone, stopClock, test, waitForHydration } from "./support.ts";

const expectedLinks = [
  ["Home", "/"],
  ["Local", "/local"],
  ["National", "/national"],
  ["World", "/world"],
  ["Politics", "/politics"],
  ["Business", "/business"],
  ["Tech", "/technology"],
  ["Auto", "/automotive"],
  ["Real Estate", "/realestate"],
  ["Health", "/health"],
  ["Sports", "/sports"],
  ["Culture", "/culture"],
  ["Food", "/food"],
  ["Lifestyle", "/lifestyle"],
  ["Opinion", "/opinion"],
  ["Archives", "/archives"],
  ["Events", "/events"],
  ["Blog", "/blog"],
  ["Partners", "/partners"],
  ["FAQ", "/faq"],
];

test.describe("on a wide screen", () => {
  test.use({ viewport: desktop });

  test("the header has the brand, twenty sections, Books and Radio, social links and the search box", async ({
    page,
  }) => {
    await page.goto("/about");
    const header = page.getByRole("banner");
    const links = header.getByRole("navigation", { name: "Main" }).getByRole("link");
    const labelsAndPaths = await links.evaluateAll((all) =>
      all.map((link) => [link.textContent, link.getAttribute("href")]),
    );
    expect(labelsAndPaths).toEqual(expectedLinks);
    await expect(header.getByRole("link", { name: "Harborline Baltimore" })).toHaveAttribute(
      "href",
      "/",
    );
    await expect(header.getByRole("link", { name: "Books" })).toHaveAttribute("href", "/books");
    await expect(header.getByRole("link", { name: "Radio" })).toHaveAttribute("href", "/radio");
    for (const name of ["Facebook", "X", "Instagram", "YouTube"]) {
      await expect(
        header.getByRole("link", { name: `${name} (opens in a new tab)` }),
      ).toHaveAttribute("rel", "noopener");
    }
    await expect(header.getByRole("combobox", { name: "Search" })).toBeVisible();
    await expect(header.getByRole("button", { name: "Menu" })).toBeHidden();
  });

  for (const { width, rows } of [
    { width: 1280, rows: 1 },
    { width: 1024, rows: 2 },
  ]) {
    test(`all twenty sections are in ${rows} row(s) at ${width} px`, async ({ page }) => {
      await page.setViewportSize({ width, height: 800 });
      await page.goto("/about");
      const links = page.getByRole("navigation", { name: "Main" }).getByRole("link");
      const tops = await links.evaluateAll((all) =>
        all.map((link) => Math.round(link.getBoundingClientRect().top)),
      );
      expect(new Set(tops).size).toBe(rows);
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect(overflow).toBeLessThanOrEqual(0);
    });
  }

  test("the current page is marked", async ({ page }) => {
    await page.goto("/");
    const links = page.getByRole("navigation", { name: "Main" });
    await expect(links.locator('[aria-current="page"]')).toHaveText("Home");
    await page.goto("/about");
    await expect(links.locator('[aria-current="page"]')).toHaveCount(0);
  });

  test("the header stays visible while the page scrolls, and never covers a linked heading", async ({
    page,
  }) => {
    await page.goto("/privacy#your-choices");
    await expect(page.getByRole("heading", { name: "Your choices" })).toBeInViewport();
    const header = await page.getByRole("banner").boundingBox();
    const heading = await page.getByRole("heading", { name: "Your choices" }).boundingBox();
    expect(header?.y).toBe(0);
    expect(heading?.y).toBeGreaterThan((header?.height ?? 0) + 8);
  });

  test("on a very short screen the header is one sticky row of at most 48 px, with a menu", async ({
    page,
  }) => {
    await page.setViewportSize({ width: 1280, height: 400 });
    await page.goto("/about");
    await page.mouse.wheel(0, 500);
    const header = page.getByRole("banner");
    await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(0);
    const box = await header.boundingBox();
    expect(box?.y).toBe(0);
    expect(box?.height).toBeLessThanOrEqual(48);
    await header.getByRole("button", { name: "Menu" }).click();
    await expect(page.getByRole("navigation", { name: "Main" }).getByRole("link")).toHaveCount(20);
  });

  test("the skip link is the first stop for the Tab key, and leads to the content", async ({
    page,
  }) => {
    await page.goto("/about");
    await page.keyboard.press("Tab");
    const skip = page.getByRole("link", { name: "Skip to content" });
    await expect(skip).toBeFocused();
    await expect(skip).toBeInViewport();
    await page.keyboard.press("Enter");
    await expect(page.locator("main")).toBeFocused();
  });

  test("after a click on a link, the new page's heading has the focus and its title is announced, and Back restores the scroll position", async ({
    page,
  }) => {
    await page.goto("/about");
    await waitForHydration(page);
    await page.evaluate(() => scrollTo(0, 700));
    await page.getByRole("contentinfo").getByRole("link", { name: "Privacy" }).click();
    await expect(page.getByRole("heading", { level: 1, name: "Privacy Policy" })).toBeVisible();
    await expect(page.getByRole("heading", { level: 1 })).toBeFocused();
    await expect(page.getByRole("status").filter({ hasText: "Privacy Policy |" })).toHaveText(
      await page.title(),
    );
    expect(await page.evaluate(() => scrollY)).toBe(0);
    await page.goBack();
    await expect(page.getByRole("heading", { level: 1, name: "About" })).toBeVisible();
    await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(600);
  });
});

test.describe("on a phone", () => {
  test.use({ viewport: phone });

  test("the menu opens, and closes when a link is clicked", async ({ page }) => {
    await page.goto("/");
    await waitForHydration(page);
    const sections = page.getByRole("navigation", { name: "Main" });
    await expect(sections).toBeHidden();
    await page.getByRole("button", { name: "Menu" }).click();
    await expect(sections.getByRole("link")).toHaveCount(20);
    await expect(sections.getByText(/^(News|Community)$/)).toHaveText(["News", "Community"]);
    await page.getByRole("button", { name: "Close" }).click();
    await expect(sections).toBeHidden();
    await page.getByRole("button", { name: "Menu" }).click();
    await sections.getByRole("link", { name: "Home" }).click();
    await expect(sections).toBeHidden();
  });

  test("Escape closes the menu and returns the focus to its button", async ({ page }) => {
    await page.goto("/about");
    const button = page.getByRole("button", { name: "Menu" });
    await button.focus();
    await page.keyboard.press("Enter");
    await expect(page.getByRole("navigation", { name: "Main" })).toBeVisible();
    await page.keyboard.press("Tab");
    await expect(
      page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Home" }),
    ).toBeFocused();
    await page.keyboard.press("Escape");
    await expect(page.getByRole("navigation", { name: "Main" })).toBeHidden();
    await expect(button).toBeFocused();
  });

  test("a menu that was opened before the scripts loaded stays open afterwards", async ({
    page,
  }) => {
    const scriptsAllowed = Promise.withResolvers<void>();
    await page.route("**/assets/*.js", async (route) => {
      await scriptsAllowed.promise;
      await route.continue();
    });
    await page.goto("/about", { waitUntil: "commit" });
    await page.getByRole("button", { name: "Menu" }).click();
    scriptsAllowed.resolve();
    await waitForHydration(page);
    await expect(page.getByRole("navigation", { name: "Main" })).toBeVisible();
  });

  test("Tab past the end of the menu closes it, so that it does not cover the focused element", async ({
    page,
  }) => {
    await page.goto("/about");
    await waitForHydration(page);
    await page.getByRole("button", { name: "Menu" }).click();
    await page.getByRole("banner").getByRole("link", { name: "YouTube" }).focus();
    await page.keyboard.press("Tab");
    await expect(page.locator(":popover-open")).toHaveCount(0);
  });

  test("the menu closes when the window becomes wide", async ({ page }) => {
    await page.goto("/about");
    await waitForHydration(page);
    await page.getByRole("button", { name: "Menu" }).click();
    await page.setViewportSize(desktop);
    await expect(page.locator(":popover-open")).toHaveCount(0);
    await expect(page.getByRole("navigation", { name: "Main" })).toBeVisible();
  });

  test("search opens with one tap, and closes when the results load", async ({ page }) => {
    await page.goto("/about");
    await waitForHydration(page);
    const header = page.getByRole("banner");
    await header.getByRole("button", { name: "Search" }).click();
    const field = header.getByRole("combobox", { name: "Search" });
    await expect(field).toBeFocused();
    await page.keyboard.type("oysters");
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL("/search?q=oysters");
    await expect(field).toBeHidden();
    await page.setViewportSize({ width: 768, height: 900 });
    await expect(field).toBeVisible();
  });

  test("nothing is wider than the screen, not even at 320 px", async ({ page }) => {
    for (const width of [320, 390]) {
      await page.setViewportSize({ width, height: 700 });
      for (const path of [
        "/",
        "/about",
        "/privacy",
        "/search?q=crabs",
        "/newsletter",
        "/nowhere",
      ]) {
        await page.goto(path);
        expect(
          await page.evaluate(() => document.documentElement.scrollWidth - innerWidth),
          path,
        ).toBeLessThanOrEqual(0);
      }
    }
  });

  test.describe("without JavaScript", () => {
    test.use({ javaScriptEnabled: false });

    test("the menu opens and its links work", async ({ page }) => {
      await page.goto("/about");
      await page.getByRole("button", { name: "Menu" }).click();
      const sections = page.getByRole("navigation", { name: "Main" });
      await expect(sections.getByRole("link")).toHaveCount(20);
      await sections.getByRole("link", { name: "Home" }).click();
      await expect(page).toHaveURL("/");
    });
  });
});

test.describe("tooltips", () => {
  test.use({ viewport: desktop });
  const openTooltip = "[popover=manual]:popover-open";

  test("appear after 700 ms, or immediately if the previous one closed less than 300 ms ago", async ({
    page,
  }) => {
    await stopClock(page);
    await page.goto("/about");
    await waitForHydration(page);
    const social = page.getByRole("banner").getByRole("link", { name: /opens in a new tab/ });
    await social.nth(0).hover();
    await page.clock.runFor(699);
    await expect(page.locator(openTooltip)).toHaveCount(0);
    await page.clock.runFor(1);
    await expect(page.locator(openTooltip)).toHaveText("Facebook");
    await page.mouse.move(700, 600);
    await expect(page.locator(openTooltip)).toHaveCount(0);
    await page.clock.runFor(299);
    await social.nth(2).hover();
    await page.clock.runFor(0);
    await expect(page.locator(openTooltip)).toHaveText("Instagram");
    await page.mouse.move(700, 600);
    await page.clock.runFor(300);
    await social.nth(3).hover();
    await page.clock.runFor(699);
    await expect(page.locator(openTooltip)).toHaveCount(0);
    await page.clock.runFor(1);
    await expect(page.locator(openTooltip)).toHaveText("YouTube");
  });

  test("appear on keyboard focus, stay while hovered, and close on Escape", async ({ page }) => {
    await page.goto("/about");
    await waitForHydration(page);
    await page.getByRole("banner").getByRole("link", { name: "Radio" }).focus();
    await page.keyboard.press("Tab");
    const tip = page.locator(openTooltip);
    await expect(tip).toHaveText("Facebook");
    await tip.hover();
    await expect(tip).toHaveText("Facebook");
    await page.keyboard.press("Escape");
    await expect(tip).toHaveCount(0);
  });
});
