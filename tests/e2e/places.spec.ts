import type { Page } from "@playwright/test";
import { createAxe, desktop, expect, phone, test, waitForHydration } from "./support.ts";
import { openWithWebFonts } from "./web-fonts.ts";

const getChips = (page: Page) =>
  page.getByRole("navigation", { name: "Neighborhoods" }).getByRole("link");
const getFollowButton = (page: Page) => page.getByRole("button", { name: /^Follow / });

test("a reader on a phone chooses a neighborhood, follows it by keyboard, and goes back", async ({
  page,
  context,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.setViewportSize(phone);
  await page.goto("/local");
  await waitForHydration(page);
  const chips = getChips(page);
  await expect(chips.first()).toHaveText("All neighborhoods");
  await expect(chips.first()).toHaveAttribute("aria-current", "true");
  await chips.filter({ hasText: "Hampden" }).click();
  await expect(page).toHaveURL("/local?place=hampden");
  await expect(page).toHaveTitle("Local News from Hampden | Harborline Baltimore");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Local News from Hampden");
  const chosen = chips.and(page.locator("[aria-current]"));
  await expect(chosen).toHaveText("Hampden");
  await expect(chosen).toBeInViewport({ ratio: 1 });
  await expect(chosen).toBeFocused();
  await expect(page.getByRole("link", { name: "Story Time on the Round Rug" })).toBeVisible();
  await expect(page.getByRole("link", { name: "The Mills Along the Jones Falls" })).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(phone.width);

  const button = getFollowButton(page);
  await button.focus();
  await page.keyboard.press("Enter");
  const panel = page.getByRole("dialog", { name: "Follow Local News from Hampden" });
  await expect(panel).toBeVisible();
  await page.keyboard.press("Tab");
  await expect(panel.getByRole("button", { name: "Close" })).toBeFocused();
  await expect(panel.getByRole("link", { name: "RSS" })).toHaveAttribute(
    "href",
    "/feeds/local.xml?place=hampden",
  );
  await expect(panel.getByRole("link", { name: "Subscribe in a calendar app" })).toHaveAttribute(
    "href",
    "webcal://baltimore.harborline.example/events.ics?place=hampden",
  );
  expect((await createAxe(page).include("main").analyze()).violations).toEqual([]);
  const code = await panel.getByLabel("On your own site").inputValue();
  expect(code).toMatch(/^<iframe src="https:[^"]*\/embed\/feeds\/local\?place=hampden"/);
  await panel.getByRole("button", { name: "Copy the code" }).click();
  await expect(panel.getByText("Copied.")).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(code);
  await page.keyboard.press("Escape");
  await expect(panel).toBeHidden();
  await expect(button).toBeFocused();

  await page.goBack();
  await expect(page).toHaveURL("/local");
  await expect(chosen).toHaveText("All neighborhoods");
});

test("the reader's own neighborhood comes first in every tab, and only on this device", async ({
  page,
  context,
}) => {
  await page.goto("/local?place=hampden");
  await waitForHydration(page);
  const otherTab = await context.newPage();
  await otherTab.goto("/events");
  await waitForHydration(otherTab);
  const [before] = await getChips(otherTab).allTextContents();
  expect(before).toBe("All neighborhoods");
  await page.getByRole("button", { name: "Make this my neighborhood" }).click();
  await expect(page.getByText("Its link is now the first, on this device only.")).toBeVisible();
  for (const tab of [page, otherTab])
    await expect(getChips(tab).nth(1)).toHaveText(/^Hampden.* \(your neighborhood\)$/);

  await otherTab.reload();
  await expect(getChips(otherTab).nth(1)).toHaveText("Hampden 1 (your neighborhood)");
  await getChips(otherTab).nth(1).click();
  await expect(otherTab).toHaveURL("/events?place=hampden");
  await expect(otherTab.getByRole("heading", { level: 1 })).toHaveText("Events in Hampden");
  const button = otherTab.getByRole("button", { name: "Make this my neighborhood" });
  await expect(button).toHaveAttribute("aria-pressed", "true");
  await button.click();
  await expect(button).toHaveAttribute("aria-pressed", "false");
  for (const tab of [page, otherTab])
    await expect(getChips(tab).nth(1)).not.toContainText("Hampden");
  expect(await page.evaluate(() => localStorage.getItem("places.own"))).toBeNull();

  await page.evaluate(() => {
    Storage.prototype.setItem = () => {
      throw new DOMException("full", "QuotaExceededError");
    };
  });
  await page.getByRole("button", { name: "Make this my neighborhood" }).click();
  await expect(page.getByText("Your browser does not let us remember this.")).toBeVisible();
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("neighborhoods are links, and the panel opens", async ({ page }) => {
    await page.goto("/events");
    await getChips(page).filter({ hasText: "Hampden" }).click();
    await expect(page).toHaveURL("/events?place=hampden");
    await expect(page.getByRole("heading", { level: 3 })).toHaveText([
      "Story Time on the Round Rug",
    ]);
    await expect(page.getByRole("button", { name: "Make this my" })).toBeHidden();
    await getFollowButton(page).click();
    const panel = page.getByRole("dialog", { name: "Follow Events in Hampden" });
    await expect(panel.getByRole("link", { name: "Calendar file (.ics)" })).toBeVisible();
    await expect(panel.getByLabel("On your own site")).toBeVisible();
    await expect(panel.getByRole("button", { name: /^Copy/ })).toHaveCount(0);
  });

  test("wide screens show all neighborhoods in one or two lines", async ({ page }) => {
    await page.setViewportSize(desktop);
    await openWithWebFonts(page, "/local");
    await expect(getChips(page).last()).toBeInViewport({ ratio: 1 });
    const [row] = await page.locator(".pill-line").all();
    expect((await row?.boundingBox())?.height).toBeLessThan(90);
    await page.goto("/archives?source=baltimore-brew");
    await expect(getFollowButton(page)).toBeInViewport();
  });
});
