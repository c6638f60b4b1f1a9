import type { Page } from "@playwright/test";
import { expect, test, waitForHydration } from "./support.ts";

/** A link to an answer opens the answer. */
async function expectOpenAnswer(page: Page): Promise<void> {
  const entry = page.locator("main details", { has: page.locator("#is-it-free") });
  await expect(entry).toHaveAttribute("open");
  await expect(entry.getByRole("heading", { level: 3 })).toBeInViewport({ ratio: 1 });
}

test("a reader opens answers, goes to a category, finds questions by their words, and prints all answers", async ({
  page,
}) => {
  await page.goto("/faq#is-it-free");
  await waitForHydration(page);
  await expectOpenAnswer(page);
  await page.goto("/faq");
  await waitForHydration(page);
  // With "smooth", the Back button would scroll slowly through the page.
  const readScrollBehavior = () =>
    page.evaluate(() => getComputedStyle(document.documentElement).scrollBehavior);
  expect(await readScrollBehavior()).toBe("auto");

  // Opening an answer closes the previous one, and clicking an open question closes its answer.
  const entries = page.locator("main details");
  const [firstEntry, lastEntry] = [entries.first(), entries.last()];
  const openEntries = page.locator("main details[open]");
  await lastEntry.locator("summary").click();
  await expect(lastEntry).toHaveAttribute("open");
  await expect(openEntries).toHaveCount(1);
  await lastEntry.locator("summary").click();
  await expect(openEntries).toHaveCount(0);
  await firstEntry.locator("summary").focus();
  await page.keyboard.press("Enter");
  await expect(firstEntry).toHaveAttribute("open");

  // Links to other sites have an icon.
  const icons = await page
    .locator('details .prose a[href^="http"]')
    .evaluateAll((links) => links.map((link) => getComputedStyle(link, "::after").backgroundImage));
  expect(icons.filter((icon) => icon === "none")).toEqual([]);

  await page.getByRole("link", { name: "Transportation", exact: true }).click();
  await expect(page.locator("#transportation")).toBeFocused();
  await expect(page.getByRole("heading", { name: "Transportation" })).toBeInViewport();
  expect(await readScrollBehavior()).toBe("smooth");

  const box = page.getByLabel("Find a question");
  await box.fill("ground rent");
  await expect(page.getByRole("status").filter({ hasText: "question" })).toHaveText(
    /^\d+ questions?$/,
  );
  const visibleCount = await page.locator("main details:visible").count();
  expect(visibleCount).toBeGreaterThan(0);
  expect(visibleCount).toBeLessThan(10);
  await box.fill("zeppelin mooring mast");
  await expect(page.getByText("No question contains these words.")).toBeVisible();
  await box.fill("");
  await expect(page.getByText("No question contains these words.")).toHaveCount(0);

  await page.emulateMedia({ media: "print" });
  await expect(page.locator(".faq-list")).toHaveCSS("column-count", "2");
  const heights = await page
    .locator("details .prose")
    .evaluateAll((answers) => answers.map((answer) => answer.getBoundingClientRect().height));
  expect(Math.min(...heights)).toBeGreaterThan(30);
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("a link to an answer opens the answer", async ({ page }) => {
    await page.goto("/faq#is-it-free");
    await expectOpenAnswer(page);
  });
});
