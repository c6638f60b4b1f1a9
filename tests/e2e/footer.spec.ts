import type { Page } from "@playwright/test";
import { expect, test, waitForHydration } from "./support.ts";

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

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("a reader subscribes, and an email address that the server refuses stays in the box", async ({
    page,
  }) => {
    await page.goto("/about");
    await expectSubscription(page);
    await page.goto("/newsletter");
    await expectRefusal(page);
  });
});
