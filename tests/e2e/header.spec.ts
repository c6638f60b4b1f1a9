import type { Page } from "@playwright/test";
import { desktop, expect, phone, stopClock, test, waitForHydration } from "./support.ts";
import { openWithWebFonts } from "./web-fonts.ts";

/** Presses Tab through the header, and returns the positions of the elements that get the focus. */
async function tabThroughHeader(page: Page): Promise<{ x: number; y: number }[]> {
  const positions: { x: number; y: number }[] = [];
  for (;;) {
    await page.keyboard.press("Tab");
    const position = await page.evaluate(() => {
      const focused = document.activeElement;
      const { x, y, height } = focused?.getBoundingClientRect() ?? new DOMRect();
      return focused?.closest(".site-header") ? { x, y: y + height / 2 } : null;
    });
    if (!position) return positions;
    positions.push(position);
  }
}

// On both sides of the width at which the menu ends, and at the width of a phone.
for (const width of [390, 1023, 1024])
  test(`at ${width} px, the Tab key follows the lines of the header and its menu, and our own pages are within reach`, async ({
    page,
  }) => {
    // High enough that the menu does not scroll, which would change the positions.
    await page.setViewportSize({ width, height: 1_000 });
    await page.goto("/about");
    await waitForHydration(page);
    const header = page.getByRole("banner");
    const hasMenu = width < 1024;
    if (hasMenu) await header.getByRole("button", { name: "Menu" }).click();
    else await header.getByRole("link", { name: "Harborline" }).first().focus();
    const positions = await tabThroughHeader(page);
    // The menu has 20 links, Saved, Books, Radio, 4 social links and 7 of our own pages. On a wide
    // screen, the search and the display settings are in the header, and our own pages in the footer.
    expect(positions).toHaveLength(hasMenu ? 34 : 30);
    for (const [index, { x, y }] of positions.entries()) {
      const before = positions[index - 1];
      if (before) expect(y > before.y + 12 || (y > before.y - 12 && x > before.x)).toBe(true);
    }
    for (const [name, path] of [
      ["News", "/news"],
      ["Our stories", "/stories"],
      ["Daily brief", "/brief"],
      ["Community", "/community"],
      ["Public meetings", "/meetings"],
      ["Contact", "/contact"],
    ] as const) {
      if (hasMenu) await header.getByRole("button", { name: "Menu" }).click();
      const links = hasMenu
        ? header.getByRole("navigation", { name: "More" })
        : page.getByRole("contentinfo");
      await expect(links.getByRole("link", { name: "Donate" })).toBeVisible();
      await links.getByRole("link", { name, exact: true }).click();
      await expect(page).toHaveURL(path);
    }
  });

test.describe("on a wide screen", () => {
  test.use({ viewport: desktop });

  test("the header has all sections in one or two rows, or a menu if the screen is short, and a skip link", async ({
    page,
  }) => {
    await openWithWebFonts(page, "/about");
    const header = page.getByRole("banner");
    await page.keyboard.press("Tab");
    const skip = page.getByRole("link", { name: "Skip to content" });
    await expect(skip).toBeFocused();
    await expect(skip).toBeInViewport();
    await page.keyboard.press("Enter");
    await expect(page.locator("main")).toBeFocused();

    await expect(header.locator("input[type=search]")).toBeVisible();
    await expect(header.getByRole("button", { name: "Menu" })).toBeHidden();
    const links = page.getByRole("navigation", { name: "Main" }).getByRole("link");
    await expect(links).toHaveCount(20);
    for (const { width, rows } of [
      { width: 1280, rows: 1 },
      { width: 1024, rows: 2 },
    ]) {
      await page.setViewportSize({ width, height: 800 });
      const tops = await links.evaluateAll((all) =>
        all.map((link) => Math.round(link.getBoundingClientRect().top)),
      );
      expect(new Set(tops).size, `at ${width} px`).toBe(rows);
      const extraWidths = await links.evaluateAll((all) =>
        all.map((link) => {
          const word = document.createRange();
          word.selectNodeContents(link);
          return link.getBoundingClientRect().width - word.getBoundingClientRect().width;
        }),
      );
      expect(Math.max(...extraWidths), `the underline at ${width} px`).toBeLessThan(1);
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect(overflow, `at ${width} px`).toBeLessThanOrEqual(0);
    }

    await page.setViewportSize({ width: 1280, height: 400 });
    await page.evaluate(() => scrollTo(0, 500));
    await expect.poll(async () => (await header.boundingBox())?.y, "it is sticky").toBe(0);
    expect((await header.boundingBox())?.height).toBeLessThanOrEqual(48);
    await header.getByRole("button", { name: "Menu" }).click();
    await expect(links).toHaveCount(20);
  });

  test("a link to a heading is not covered by the header, a click leads to the new page's heading, and Back to the scroll position", async ({
    page,
  }) => {
    await page.goto("/privacy#your-choices");
    const target = page.getByRole("heading", { name: "Your choices" });
    await expect(target).toBeInViewport();
    const header = await page.getByRole("banner").boundingBox();
    expect(header?.y).toBe(0);
    expect((await target.boundingBox())?.y).toBeGreaterThan((header?.height ?? 0) + 8);

    await waitForHydration(page);
    await page.evaluate(() => scrollTo(0, 700));
    await page.getByRole("contentinfo").getByRole("link", { name: "About" }).click();
    await expect(page.getByRole("heading", { level: 1, name: "About" })).toBeFocused();
    await expect(page.getByRole("status").filter({ hasText: "About |" })).toHaveText(
      await page.title(),
    );
    expect(await page.evaluate(() => scrollY)).toBe(0);
    await page.goBack();
    await expect(page.getByRole("heading", { level: 1, name: "Privacy Policy" })).toBeVisible();
    await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(600);

    await page.goto("/stories");
    await waitForHydration(page);
    const story = page.locator("main a[href^='/news/']").nth(2);
    await story.press("Enter");
    await expect(page.getByRole("heading", { level: 1 })).toBeFocused();
    await page.goBack();
    await expect(story, "the reader goes on where they left").toBeFocused();
  });

  test("tooltips appear after 700 ms, or immediately after another one or on keyboard focus", async ({
    page,
  }) => {
    const tip = page.locator("[popover=manual]:popover-open");
    await stopClock(page);
    await page.goto("/about");
    await waitForHydration(page);
    const header = page.getByRole("banner");
    const social = header.getByRole("link", { name: /opens in a new tab/ });
    await social.nth(0).hover();
    await page.clock.runFor(699);
    await expect(tip).toHaveCount(0);
    await page.clock.runFor(1);
    await expect(tip).toHaveText("Facebook");
    await page.mouse.move(700, 600);
    await expect(tip).toHaveCount(0);
    await page.clock.runFor(299);
    await social.nth(2).hover();
    await page.clock.runFor(0);
    await expect(tip).toHaveText("Instagram");
    await page.mouse.move(700, 600);
    await page.clock.runFor(300);
    await social.nth(3).hover();
    await page.clock.runFor(699);
    await expect(tip).toHaveCount(0);
    await page.clock.runFor(1);
    await expect(tip).toHaveText("YouTube");
    await page.mouse.move(700, 600);
    await page.clock.runFor(10_000);

    await header.getByRole("link", { name: "Radio" }).focus();
    await page.keyboard.press("Tab");
    await page.clock.runFor(0);
    await expect(tip).toHaveText("Facebook");
    await tip.hover();
    await page.clock.runFor(10_000);
    await expect(tip, "it stays while it is hovered").toHaveText("Facebook");
    await page.keyboard.press("Escape");
    await expect(tip).toHaveCount(0);
  });
});

test.describe("on a phone", () => {
  test.use({ viewport: phone });

  test("the menu opens and closes by touch and by keyboard, and search opens with one tap", async ({
    page,
  }) => {
    await page.goto("/about");
    await waitForHydration(page);
    const header = page.getByRole("banner");
    const sections = page.getByRole("navigation", { name: "Main" });
    const button = header.getByRole("button", { name: "Menu" });
    await expect(sections).toBeHidden();
    await button.click();
    await expect(sections.getByRole("link")).toHaveCount(20);
    await expect(sections.getByText(/^(News|City Life)$/)).toHaveText(["News", "City Life"]);
    const more = page.getByRole("navigation", { name: "More" });
    await expect(more.getByRole("link", { name: "Community" })).toBeVisible();
    await header.getByRole("button", { name: "Close" }).click();
    await expect(sections).toBeHidden();

    await button.focus();
    await page.keyboard.press("Enter");
    await expect(sections).toBeVisible();
    await page.keyboard.press("Tab");
    await expect(header.getByRole("link", { name: "Saved" })).toBeFocused();
    await page.keyboard.press("Escape");
    await expect(sections).toBeHidden();
    await expect(button).toBeFocused();

    // Tab past the end of the menu closes it, so that it does not cover the focused element.
    await button.click();
    await header.getByRole("link", { name: "Donate" }).focus();
    await page.keyboard.press("Tab");
    await expect(page.locator(":popover-open")).toHaveCount(0);

    await button.click();
    await page.setViewportSize(desktop);
    await expect(page.locator(":popover-open"), "on a wide screen").toHaveCount(0);
    await expect(sections).toBeVisible();
    await page.setViewportSize(phone);

    await header.getByRole("button", { name: "Search" }).click();
    const field = header.getByRole("combobox", { name: "Search" });
    await expect(field).toBeFocused();
    await page.keyboard.type("oysters");
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL("/search?q=oysters");
    await expect(field).toBeHidden();
    const heading = page.getByRole("heading", { level: 1 });
    await expect(heading).toBeFocused();
    await header.getByRole("button", { name: "Search" }).click();
    await field.fill("harbor");
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL("/search?q=harbor");
    await expect(heading, "after another search too").toBeFocused();
    await page.setViewportSize({ width: 768, height: 900 });
    await expect(field).toBeVisible();
    await page.setViewportSize(phone);

    await button.click();
    await sections.getByRole("link", { name: "Home" }).click();
    await expect(page).toHaveURL("/");
    await expect(sections).toBeHidden();
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

test.describe("without JavaScript, which is faster", () => {
  test.use({ javaScriptEnabled: false });

  test("no page is wider than the screen, also with the largest text", async ({ page }) => {
    for (const path of [
      "/",
      "/about",
      "/privacy",
      "/search?q=crabs",
      "/newsletter",
      "/nowhere",
      "/news",
      "/events",
      "/events/submit",
      "/news/marble-steps",
      "/radio",
      "/faq",
      "/blog",
      "/saved",
    ]) {
      await openWithWebFonts(page, path);
      // The other widths are those of the header, which is the same on all pages.
      const sizes: [number, string][] = [
        [320, ""],
        [320, "200%"],
      ];
      if (path === "/") sizes.push([320, "larger"], [1024, "larger"], [1280, "larger"]);
      for (const [width, textSize] of sizes) {
        await page.setViewportSize({ width, height: 700 });
        const overflow = await page.evaluate((size) => {
          // As the display panel sets it, or as a browser does.
          if (size === "larger") document.documentElement.dataset.textSize = size;
          else delete document.documentElement.dataset.textSize;
          document.documentElement.style.fontSize = size === "200%" ? size : "";
          return document.documentElement.scrollWidth - innerWidth;
        }, textSize);
        expect(overflow, `${path} at ${width} px ${textSize}`).toBeLessThanOrEqual(0);
        for (const logo of await page.locator(".site-brand img").all())
          expect((await logo.boundingBox())?.width, `${path} at ${width} px`).toBe(36);
        for (const name of await page.locator(".site-brand svg").all())
          expect((await name.boundingBox())?.width, `${path}: ${textSize}`).toBeGreaterThan(60);
      }
    }
  });
});
