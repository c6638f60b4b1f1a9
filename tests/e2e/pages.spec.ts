import { desktop, expect, phone, test, waitForHydration } from "./support.ts";

test.use({ viewport: desktop });

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

test("the structured data of a page does not stay when a link opens another page", async ({
  page,
}) => {
  await page.goto("/news");
  const data = page.locator("head script[type='application/ld+json']");
  await expect(data).toHaveCount(1);
  await waitForHydration(page);
  await page.getByRole("banner").getByRole("link", { name: "Home", exact: true }).click();
  await expect(page).toHaveURL("/");
  await expect(data).toHaveCount(0);
});

test("a link opens its page without reloading the site, and the layout stays if the page is slow, missing or fails", async ({
  page,
}) => {
  await page.goto("/privacy");
  await waitForHydration(page);
  const setData = (path: string, response: { status: number; body: string }) =>
    page.route(`**${path}.data`, (route) => route.fulfill(response));
  const footerLink = (name: string) => page.getByRole("contentinfo").getByRole("link", { name });
  const heading = (name: string) => page.getByRole("heading", { level: 1, name });
  const legalLink = (name: string) =>
    page.getByRole("main").locator(".prose").getByRole("link", { name }).first();
  await page.evaluate(() => Object.assign(window, { sameDocument: true }));
  const isSameDocument = () => page.evaluate(() => Reflect.get(window, "sameDocument") === true);

  await legalLink("Terms of Service").click();
  await expect(heading("Terms of Service")).toBeVisible();

  // A slow page shows a loading indicator.
  const gate = Promise.withResolvers<void>();
  await page.route("**/about.data", async (route) => {
    await gate.promise;
    await route.continue();
  });
  await footerLink("About").click();
  await expect(page.getByText("Loading…", { exact: true })).toBeInViewport();
  gate.resolve();
  await expect(heading("About")).toBeVisible();
  await expect(page.getByText("Loading…", { exact: true })).toHaveCount(0);
  expect(await isSameDocument()).toBe(true);

  // A page whose data is unavailable is loaded as a document, which the server may have cached.
  await setData("/terms", { status: 503, body: "No database." });
  await footerLink("Terms").click();
  await expect(heading("Terms of Service")).toBeVisible();
  expect(await isSameDocument()).toBe(false);
  await waitForHydration(page);

  await legalLink("Privacy Policy").evaluate((link) => link.setAttribute("href", "/no-such-page"));
  await page.getByRole("main").locator('.prose [href="/no-such-page"]').click();
  await expect(page.getByRole("main")).toContainText("Oops! Page not found");
  await expect(page).toHaveTitle("Page not found | Harborline Baltimore");
  await expect(page.getByRole("navigation", { name: "Main" })).toBeVisible();

  await setData("/privacy", { status: 500, body: "broken" });
  await footerLink("Privacy").click();
  await expect(page.getByRole("heading", { name: "Unexpected Application Error!" })).toBeVisible();
  await expect(page.getByRole("link", { name: "Return to Home Page" })).toBeVisible();
});

test("the Save button is in the lower right corner of every card and list entry, before an image at its end", async ({
  page,
}) => {
  await page.setViewportSize(phone);
  for (const path of ["/", "/news", "/stories", "/blog", "/events", "/search?q=market"]) {
    await page.goto(path);
    await waitForHydration(page);
    const buttons = page.getByRole("main").getByRole("button", { name: /^Save: / });
    await expect(buttons.first()).toBeVisible();
    const distances = await buttons.evaluateAll((all) =>
      all.flatMap((button) => {
        const [entry, area] = [button.closest("article, li"), button.getBoundingClientRect()];
        const { right, bottom } = entry?.getBoundingClientRect() ?? new DOMRect();
        const image = entry?.querySelector("img")?.getBoundingClientRect();
        const end = image && image.left >= area.right ? image.left : right;
        return [end - area.right, bottom - area.bottom].map(Math.abs);
      }),
    );
    expect(Math.max(...distances), path).toBeLessThan(28);
  }
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
  await context.setOffline(false);

  // A link to another choice of the same page keeps the page too.
  await page.goto("/events");
  await waitForHydration(page);
  await context.setOffline(true);
  await page.locator("main a[href^='/events?']").first().dispatchEvent("click");
  await expect(page.getByText("We kept this page open")).toBeVisible();
  await expect(page).toHaveURL("/events");
  await context.setOffline(false);
});
