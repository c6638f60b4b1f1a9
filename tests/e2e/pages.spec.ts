import { desktop, expect, phone, test, waitForHydration } from "./support.ts";

test.use({ viewport: desktop });

test("/about presents the mission, the story, the team of three, the values, and how to help", async ({
  page,
}) => {
  await page.goto("/about");
  await expect(page).toHaveTitle("About | Harborline Baltimore");
  const main = page.getByRole("main");
  await expect(main.getByRole("heading", { level: 2 })).toHaveText([
    "Our Mission",
    "Our Story",
    "Our Team",
    "Our Values",
    "Support Local Journalism",
  ]);
  await expect(main).toContainText("Founded 2023");
  await expect(main.getByRole("heading", { level: 3 })).toHaveCount(3);
  await expect(main.getByRole("term")).toHaveText(["Accuracy", "Community Focus", "Independence"]);
  await expect(main.getByRole("link", { name: "Contact Us" })).toHaveAttribute("href", "/contact");
  const donate = main.getByRole("link", { name: "Donate Now" });
  await expect(donate).toHaveAttribute("target", "_blank");
  await expect(donate).toHaveAttribute("href", /^https:/);
});

for (const [path, title, other] of [
  ["/privacy", "Privacy Policy", "/terms"],
  ["/terms", "Terms of Service", "/privacy"],
] as const) {
  test(`${path} is dated April 14, 2025 and links to ${other}`, async ({ page }) => {
    await page.goto(path);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(title);
    await expect(page.getByText("Last updated: April 14, 2025")).toBeVisible();
    await expect(page.getByRole("main").locator(`a[href="${other}"]`).first()).toBeVisible();
  });
}

test("an unknown path shows the 404 page inside the layout, and the console names the path", async ({
  page,
}) => {
  const warnings: string[] = [];
  page.on("console", (message) => message.type() === "warning" && warnings.push(message.text()));
  const response = await page.goto("/no/such/page?secret=1");
  expect(response?.status()).toBe(404);
  const main = page.getByRole("main");
  await expect(main.getByRole("heading", { level: 1 })).toContainText("404");
  await expect(main).toContainText("Oops! Page not found");
  await expect(page).toHaveTitle("Page not found | Harborline Baltimore");
  await waitForHydration(page);
  await expect.poll(() => warnings).toContain("404: no page at /no/such/page");
  await main.getByRole("link", { name: "Return to Home Page" }).click();
  await expect(page).toHaveURL("/");
});

test("a link to an unknown path on the site shows the 404 page", async ({ page }) => {
  await page.goto("/privacy");
  await waitForHydration(page);
  const link = page.getByRole("main").locator(".prose a", { hasText: "Terms of Service" }).first();
  await link.evaluate((anchor) => anchor.setAttribute("href", "/no-such-page"));
  await link.click();
  await expect(page.getByRole("main")).toContainText("Oops! Page not found");
  await expect(page).toHaveTitle("Page not found | Harborline Baltimore");
  await expect(page.getByRole("navigation", { name: "Main" })).toBeVisible();
});

test("a page that fails to load after a click shows the error view, and the layout stays", async ({
  page,
}) => {
  await page.goto("/about");
  await waitForHydration(page);
  await page.route("**/privacy.data", (route) => route.fulfill({ status: 500, body: "broken" }));
  await page.getByRole("contentinfo").getByRole("link", { name: "Privacy" }).click();
  await expect(page.getByRole("heading", { name: "Unexpected Application Error!" })).toBeVisible();
  await expect(page.getByRole("link", { name: "Return to Home Page" })).toBeVisible();
});

test("a page whose data is unavailable is loaded as a document, which the server may have cached", async ({
  page,
}) => {
  await page.goto("/about");
  await waitForHydration(page);
  await page.route("**/privacy.data", (route) =>
    route.fulfill({ status: 503, body: "No database." }),
  );
  await page.getByRole("contentinfo").getByRole("link", { name: "Privacy" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Privacy Policy" })).toBeVisible();
});

test("a reader who goes offline keeps the page and what they typed, and sees a notice", async ({
  page,
  context,
}) => {
  // A page without images, which could still be loading.
  await page.goto("/terms");
  await waitForHydration(page);
  await context.setOffline(true);
  await page.getByRole("contentinfo").getByRole("link", { name: "Privacy" }).click();
  await expect(page.getByText("You seem to be offline")).toBeVisible();
  const box = page.getByRole("contentinfo").getByLabel("Email address");
  await box.fill("reader@example.com");
  await page.getByRole("contentinfo").getByRole("button", { name: "Subscribe" }).click();
  await expect(box).toHaveValue("reader@example.com");
  await expect(page).toHaveURL("/terms");
  await context.setOffline(false);
  await expect(page.getByText("You seem to be offline")).toHaveCount(0);
  await page.getByRole("contentinfo").getByRole("link", { name: "Privacy" }).click();
  await expect(page).toHaveURL("/privacy");
  // On a phone the menu closes, so that the notice is visible, and the notice does not cover any
  // part of the page.
  await page.setViewportSize(phone);
  await context.setOffline(true);
  await page.getByRole("button", { name: "Menu" }).click();
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Local" }).click();
  await expect(page.getByRole("navigation", { name: "Main" })).toBeHidden();
  const notice = await page.getByText("You seem to be offline").boundingBox();
  const main = await page.getByRole("main").boundingBox();
  expect(notice?.y).toBeGreaterThan(0);
  expect(main?.y).toBeGreaterThanOrEqual((notice?.y ?? 0) + (notice?.height ?? 0));
});

test("without a connection, a link to another choice of the same page keeps the page", async ({
  page,
  context,
}) => {
  await page.goto("/events");
  await waitForHydration(page);
  await context.setOffline(true);
  const link = page.locator("main a[href^='/events?']").first();
  await link.dispatchEvent("click");
  await expect(page.getByText("We kept this page open")).toBeVisible();
  await expect(page).toHaveURL("/events");
  await context.setOffline(false);
});

test("a slow page shows a loading indicator", async ({ page }) => {
  await page.goto("/about");
  await waitForHydration(page);
  const gate = Promise.withResolvers<void>();
  await page.route("**/privacy.data", async (route) => {
    await gate.promise;
    await route.continue();
  });
  await page.getByRole("contentinfo").getByRole("link", { name: "Privacy" }).click();
  await expect(page.getByText("Loading", { exact: true })).toBeAttached();
  gate.resolve();
  await expect(page.getByRole("heading", { level: 1, name: "Privacy Policy" })).toBeVisible();
  await expect(page.getByText("Loading", { exact: true })).toHaveCount(0);
});

test("a link in a legal text opens its target without reloading the site", async ({ page }) => {
  await page.goto("/privacy");
  await waitForHydration(page);
  await page.evaluate(() => Object.assign(window, { sameDocument: true }));
  await page
    .getByRole("main")
    .locator(".prose")
    .getByRole("link", { name: "Terms of Service" })
    .click();
  await expect(page.getByRole("heading", { level: 1, name: "Terms of Service" })).toBeVisible();
  expect(await page.evaluate(() => Reflect.get(window, "sameDocument"))).toBe(true);
});
