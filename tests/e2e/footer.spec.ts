import type { Page } from "@playwright/test";
import { desktop, expect, phone, test, waitForHydration } from "./support.ts";

const emailField = (page: Page, part: "contentinfo" | "main") =>
  page.getByRole(part).getByLabel("Email address");
const subscribe = (page: Page, part: "contentinfo" | "main") =>
  page.getByRole(part).getByRole("button", { name: "Subscribe" }).click();

async function expectSubscription(page: Page): Promise<void> {
  await emailField(page, "contentinfo").fill("Reader@Example.com");
  await subscribe(page, "contentinfo");
  await expect(
    page.getByRole("status").filter({ hasText: "a confirmation is pending" }),
  ).toContainText("reader@example.com");
  await expect(page.getByRole("main")).toContainText("This site has no mail server yet");
  await expect(page).toHaveURL("/newsletter");
  await expect(page.getByText("a confirmation is pending")).toBeInViewport();
  await expect(emailField(page, "contentinfo")).toHaveValue("");
}

/** Only the server refuses an email address that is too long. */
async function expectRefusal(page: Page): Promise<void> {
  const tooLong = `${"x".repeat(60)}@${`${"y".repeat(60)}.`.repeat(4)}example`;
  await emailField(page, "main").fill(tooLong);
  await subscribe(page, "main");
  await expect(page.getByText("Please enter a shorter email address")).toBeVisible();
  await expect(emailField(page, "main")).toHaveValue(tooLong);
  await expect(emailField(page, "main")).toHaveAttribute("aria-invalid", "true");
}

test("a reader enters a complete email address in the newsletter box, and sees that a confirmation is pending", async ({
  page,
}) => {
  await page.goto("/about");
  await waitForHydration(page);
  const field = emailField(page, "contentinfo");
  const hasProblem = (problem: "valueMissing" | "typeMismatch") =>
    field.evaluate((input: HTMLInputElement, name) => input.validity[name], problem);
  await subscribe(page, "contentinfo");
  await expect(field).toBeFocused();
  expect(await hasProblem("valueMissing")).toBe(true);
  await field.fill("reader");
  expect(await hasProblem("typeMismatch")).toBe(true);
  await expect(page).toHaveURL("/about");
  await expectSubscription(page);
  await page.goto("/newsletter");
  await waitForHydration(page);
  await expectRefusal(page);
});

test("on a phone, a reader subscribes below the issue, and sees the result", async ({ page }) => {
  await page.setViewportSize(phone);
  await page.goto("/newsletter");
  await waitForHydration(page);
  await expectRefusal(page);
  await expect(emailField(page, "main")).toBeInViewport();
  await page.goto("/newsletter");
  await waitForHydration(page);
  await emailField(page, "main").fill("below@example.com");
  await subscribe(page, "main");
  await expect(page.getByText("a confirmation is pending")).toBeInViewport();
});

const readFooterHeight = async (page: Page) =>
  (await page.getByRole("contentinfo").boundingBox())?.height;

/** Opens the closed parts of the footer on a phone, one by the keyboard and one by a tap. */
async function expectFolds(page: Page): Promise<void> {
  const footer = page.getByRole("contentinfo");
  const links = footer.getByRole("link");
  await expect(links, "only the social links").toHaveCount(4);
  expect(await readFooterHeight(page)).toBeLessThan(560);
  await footer.getByRole("button", { name: "Subscribe" }).focus();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await expect(links.first()).toHaveText("Home");
  await footer.getByText("More", { exact: true }).click();
  await expect(footer.getByRole("link", { name: "Daily brief" })).toBeVisible();
  await page.keyboard.press("Enter");
  await expect(footer.getByRole("link", { name: "Daily brief" })).toBeHidden();
  await footer.getByRole("link", { name: "Privacy" }).click();
  await expect(page).toHaveURL("/privacy");
}

test("on a phone, the footer is low and a reader opens its parts", async ({ page }) => {
  await page.setViewportSize(phone);
  await page.goto("/about");
  await waitForHydration(page);
  await expectFolds(page);
});

for (const { width, height } of [{ width: 820, height: 1180 }, desktop])
  test(`at ${width} px, all links of the footer are visible, and its headings are not buttons`, async ({
    page,
  }) => {
    await page.setViewportSize({ width, height });
    await page.goto("/about");
    const footer = page.getByRole("contentinfo");
    for (const name of ["Quick Links", "News Sections", "Contact", "Partner Sites"]) {
      const heading = footer.getByRole("heading", { name });
      await expect(heading).toBeVisible();
      const box = await heading.boundingBox();
      await page.mouse.click((box?.x ?? 0) + 5, (box?.y ?? 0) + 5);
    }
    await expect(footer.locator("details[open]")).toHaveCount(0);
    for (const link of await footer.locator("a").all()) await expect(link).toBeVisible();
    await footer.getByRole("button", { name: "Subscribe" }).focus();
    for (const name of ["Home", "About", "Privacy", "Terms", "Local"]) {
      await page.keyboard.press("Tab");
      await expect(footer.getByRole("link", { name })).toBeFocused();
    }
  });

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("on a phone, a reader opens the parts of the footer", async ({ page }) => {
    await page.setViewportSize(phone);
    await page.goto("/about");
    await expectFolds(page);
  });

  test("a reader subscribes, and an email address that the server refuses stays in the box", async ({
    page,
  }) => {
    await page.goto("/about");
    await expectSubscription(page);
    await page.goto("/faq");
    // The browser does not ask whether to send the form again.
    await page.goBack();
    await expect(page.getByText("a confirmation is pending")).toBeVisible();
    await page.goto("/newsletter");
    await expectRefusal(page);
  });
});
