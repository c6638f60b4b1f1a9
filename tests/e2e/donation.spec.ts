import type { Locator, Page } from "@playwright/test";
import { expect, phone, stopClock, test, waitForHydration } from "./support.ts";

const popup = (page: Page) =>
  page.getByRole("complementary", { name: "Keep Harborline free to read" });

async function openPopup(page: Page) {
  await stopClock(page);
  await page.goto("/about");
  await waitForHydration(page);
  await page.clock.runFor(30_000);
  await expect(popup(page)).toBeVisible();
}

test("the pop-up appears 30 seconds after each page load without taking the focus, until the reader asks never to see it again", async ({
  page,
}) => {
  await stopClock(page);
  await page.goto("/about");
  await waitForHydration(page);
  const field = page.getByRole("contentinfo").getByLabel("Email address");
  await field.focus();
  await page.clock.runFor(29_999);
  await expect(popup(page)).toHaveCount(0);
  await page.clock.runFor(1);
  await expect(popup(page)).toBeVisible();
  await expect(field).toBeFocused();

  // Both buttons fade it out and remove it after 300 ms.
  for (const name of ["Close", "Maybe Later"]) {
    await popup(page).getByRole("button", { name }).click();
    await expect(popup(page)).toHaveAttribute("data-phase", "closing");
    await page.clock.runFor(299);
    await expect(popup(page)).toHaveCount(1);
    await page.clock.runFor(1);
    await expect(popup(page)).toHaveCount(0);
    await page.reload();
    await waitForHydration(page);
    // Following a link does not restart the 30 seconds.
    await page.clock.runFor(20_000);
    await page.getByRole("contentinfo").getByRole("link", { name: "Privacy" }).click();
    await expect(page.getByRole("heading", { level: 1, name: "Privacy Policy" })).toBeVisible();
    await page.clock.runFor(10_500);
    await expect(popup(page), `after ${name}`).toBeVisible();
  }

  // Escape returns the focus to where the reader was.
  await field.focus();
  await popup(page).getByRole("button", { name: "Maybe Later" }).focus();
  await page.keyboard.press("Escape");
  await page.clock.runFor(300);
  await expect(popup(page)).toHaveCount(0);
  await expect(field).toBeFocused();

  await page.reload();
  await waitForHydration(page);
  await page.clock.runFor(30_500);
  await popup(page).getByRole("button", { name: "Don’t ask again" }).click();
  await page.reload();
  await waitForHydration(page);
  await page.clock.runFor(120_000);
  await expect(popup(page)).toHaveCount(0);
});

test("the pop-up keeps its buttons in reach on a phone when the reader saves a page", async ({
  page,
}) => {
  await page.setViewportSize(phone);
  await stopClock(page);
  await page.goto("/news/marble-steps");
  await waitForHydration(page);
  await page.clock.runFor(30_000);
  await page
    .getByRole("button", { name: /^Save: / })
    .first()
    .click();
  const toast = page
    .getByRole("status")
    .filter({ hasText: /^Saved/ })
    .locator("p");
  await expect(toast).toBeInViewport({ ratio: 1 });
  const readBox = async (element: Locator) =>
    (await element.boundingBox()) ?? { y: Number.NaN, height: 0 };
  const { y, height } = await readBox(toast);
  expect(y + height).toBeLessThanOrEqual((await readBox(popup(page))).y);
});

test("the pop-up shows all its buttons at 320 × 256 pixels, the size of a page zoomed to 400%, and Donate Now opens the donation site in a new tab", async ({
  page,
  context,
}) => {
  await context.route("https://donate.harborline.example/**", (route) =>
    route.fulfill({ body: "thanks" }),
  );
  await page.setViewportSize({ width: 320, height: 256 });
  await page.emulateMedia({ reducedMotion: "reduce" });
  await openPopup(page);
  for (const button of await popup(page).locator("a, button").all())
    await expect(button).toBeInViewport({ ratio: 1 });
  const text = popup(page).getByText("Three journalists");
  await text.evaluate((element) => element.scrollIntoView({ block: "end" }));
  await expect(text).toBeInViewport();
  const opened = context.waitForEvent("page");
  await popup(page).getByRole("link", { name: "Donate Now" }).click();
  expect((await opened).url()).toBe("https://donate.harborline.example/baltimore");
  await page.clock.runFor(300);
  await expect(popup(page)).toHaveCount(0);
  await expect(page).toHaveURL("/about");
  // A reader who donates is left alone for a while.
  await page.reload();
  await waitForHydration(page);
  await page.clock.runFor(120_000);
  await expect(popup(page)).toHaveCount(0);
});

test("the pop-up waits until the reader has stopped typing", async ({ page }) => {
  await stopClock(page);
  await page.goto("/about");
  await waitForHydration(page);
  await page.clock.runFor(25_000);
  await page.getByRole("contentinfo").getByLabel("Email address").pressSequentially("ann");
  await page.clock.runFor(9_999);
  await expect(popup(page)).toHaveCount(0);
  await page.clock.runFor(1);
  await expect(popup(page)).toBeVisible();
});

test("the pop-up does not interrupt a reader in the contact form", async ({ page }) => {
  await stopClock(page);
  await page.goto("/contact");
  await waitForHydration(page);
  await page.frameLocator("iframe").getByRole("textbox", { name: "Your message" }).focus();
  await page.clock.runFor(60_000);
  await expect(popup(page)).toHaveCount(0);
  await page.getByRole("contentinfo").getByLabel("Email address").focus();
  await page.clock.runFor(10_000);
  await expect(popup(page)).toBeVisible();
});

test("the pop-up works for a reader whose browser does not allow storage", async ({
  page,
  problems,
}) => {
  await page.addInitScript(() => {
    for (const name of ["localStorage", "sessionStorage"]) {
      Object.defineProperty(window, name, {
        get: () => {
          throw new DOMException("denied", "SecurityError");
        },
      });
    }
  });
  await openPopup(page);
  await popup(page).getByRole("button", { name: "Don’t ask again" }).click();
  await page.clock.runFor(300);
  await expect(popup(page)).toHaveCount(0);
  // Only the router's own script reports that it cannot use storage.
  expect(problems.every((problem) => problem.includes("denied"))).toBe(true);
  problems.length = 0;
});
