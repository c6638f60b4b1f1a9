import { createAxe, expect, phone, test, waitForHydration } from "./support.ts";

test.use({ viewport: phone, extraHTTPHeaders: { "Save-Data": "on" } });

test("a reader who saves data reads everything without images and scripts, and returns to the full edition", async ({
  page,
}) => {
  // Chromium derives this from the same setting as the header, which the test sets itself.
  await page.addInitScript(() => {
    Object.defineProperty(navigator, "connection", { value: { saveData: true } });
  });
  const types = new Set<string>();
  page.on("request", (request) => types.add(request.resourceType()));
  const follow = (name: string | RegExp) =>
    page.getByRole("link", { name, exact: true }).first().click();
  const expectAccessible = async () =>
    expect((await createAxe(page).analyze()).violations).toEqual([]);

  await page.goto("/");
  await expect(page.getByText("Low-data edition: no images, no scripts.")).toBeVisible();
  const topOf = async (selector: string) => (await page.locator(selector).first().boundingBox())?.y;
  expect(await topOf("h1"), "the menu is closed").toBeLessThan(250);
  expect(await topOf("main h3"), "the first headline").toBeLessThan(phone.height);
  const openMenu = () => page.getByText("Menu", { exact: true }).click();
  await openMenu();
  await expect(page.getByRole("banner").getByRole("link", { name: "Politics" })).toBeVisible();
  await expectAccessible();
  await follow("Latest News");
  await expect(page).toHaveURL("/news?edition=light");
  await page.locator("main a[href^='/news/']").first().click();
  await expect(page).toHaveURL(/\/news\/[\w-]+\?edition=light$/);
  await expect(page.getByText(/^Image: /)).toBeVisible();
  await expectAccessible();
  await openMenu();
  await follow("Events");
  // In the evening, the first one of the list is a meeting.
  await page.locator("main h3 a[href^='/events/']").first().click();
  await expect(page).toHaveURL(/\/events\/[\w-]+\?edition=light$/);

  expect([...types]).toEqual(["document"]);

  await openMenu();
  await follow("Home");
  await follow("Full edition");
  await waitForHydration(page);
  await page.getByRole("link", { name: "Latest News" }).click();
  await expect(page).toHaveURL("/news?edition=full");
  await page.reload();
  await waitForHydration(page);
  await expect(page.locator("main img").first()).toBeVisible();
  // A link that the router has rendered carries the edition when it is opened in a new tab.
  await page.locator("footer").getByText("Quick Links").click();
  await page.locator("footer").getByRole("link", { name: "About", exact: true }).click();
  await expect(page).toHaveURL("/about?edition=full");
  const link = page.locator("main").getByRole("link", { name: "Contact Us" });
  await link.dispatchEvent("pointerdown");
  await expect(link).toHaveAttribute("href", /\/contact\?edition=full$/);
  await page.goBack();
  await expect(page).toHaveURL("/news?edition=full");
});

test.describe("without Save-Data", () => {
  test.use({ extraHTTPHeaders: {}, colorScheme: "dark" });

  test("every reader can switch to the low-data edition and back", async ({ page }) => {
    await page.goto("/events?free=1");
    await page.locator("footer").getByText("More", { exact: true }).click();
    await page.getByRole("link", { name: "Low-data edition" }).click();
    await expect(page).toHaveURL("/events?free=1&edition=light");
    expect((await createAxe(page).analyze()).violations).toEqual([]);
    await page.getByRole("link", { name: "Full edition" }).click();
    await waitForHydration(page);
    await page.locator("footer").getByText("Quick Links").click();
    await page.locator("footer").getByRole("link", { name: "About", exact: true }).click();
    await expect(page).toHaveURL("/about");
  });
});
