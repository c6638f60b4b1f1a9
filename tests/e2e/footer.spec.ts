import { expect, test, waitForHydration } from "./support.ts";

test("the footer has quick links, six sections, contact, social links, the newsletter and sister sites", async ({
  page,
}) => {
  await page.goto("/about");
  const footer = page.getByRole("contentinfo");
  const column = (title: string) =>
    footer.locator("section", { has: page.getByRole("heading", { name: title }) });
  await expect(column("Quick Links").getByRole("link")).toHaveText([
    "Home",
    "About",
    "Privacy",
    "Terms",
  ]);
  await expect(column("News Sections").getByRole("link")).toHaveText([
    "Local",
    "Politics",
    "Business",
    "Sports",
    "Culture",
    "Opinion",
  ]);
  await expect(column("Contact")).toContainText("hello@baltimore.harborline.example");
  await expect(column("Contact")).toContainText("Monday-Friday 9am-5pm");
  await expect(column("Partner Sites").getByRole("link")).toHaveCount(3);
  await expect(footer.getByRole("link", { name: "YouTube (opens in a new tab)" })).toBeVisible();
  await expect(footer.getByRole("button", { name: "Subscribe" })).toBeVisible();
  await expect(footer.getByRole("link", { name: "Contact", exact: true })).toHaveAttribute(
    "href",
    "/contact",
  );
  const moreLinks = footer.getByRole("list").filter({ hasText: "Feeds" });
  await expect(moreLinks.getByRole("link")).toHaveText([
    "News",
    "Daily brief",
    "Our stories",
    "Community",
    "Corrections",
    "FAQ",
    "Feeds",
    "Low-data edition",
    "Donate (opens in a new tab)",
  ]);
  const year = new Intl.DateTimeFormat("en-US", { timeZone: "America/New_York", year: "numeric" });
  const thisYear = Number(year.format(new Date()));
  await expect(footer).toContainText(`© 2023–${thisYear} Harborline Baltimore`);
  // Cached copies of the page expire at the end of the year in the city's time zone.
  const { expires = "" } = (await page.request.get("/about")).headers();
  expect(Date.parse(expires)).toBeLessThanOrEqual(
    Date.parse(`${thisYear + 1}-01-01T00:00:00-05:00`),
  );
  const download = page.waitForEvent("download");
  await moreLinks.getByRole("link", { name: "Feeds" }).click();
  expect((await download).suggestedFilename()).toMatch(/\.opml$/);
});

const emailLabel = "Email address";

test("the browser requires a complete email address in the newsletter box", async ({ page }) => {
  await page.goto("/about");
  const footer = page.getByRole("contentinfo");
  await footer.getByRole("button", { name: "Subscribe" }).click();
  await expect(footer.getByLabel(emailLabel)).toBeFocused();
  expect(
    await footer
      .getByLabel(emailLabel)
      .evaluate((field: HTMLInputElement) => field.validity.valueMissing),
  ).toBe(true);
  await footer.getByLabel(emailLabel).fill("reader");
  expect(
    await footer
      .getByLabel(emailLabel)
      .evaluate((field: HTMLInputElement) => field.validity.typeMismatch),
  ).toBe(true);
  await expect(page).toHaveURL("/about");
});

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? "with JavaScript" : "without JavaScript", () => {
    test.use({ javaScriptEnabled });

    test("a reader subscribes and sees that a confirmation is pending", async ({ page }) => {
      await page.goto("/about");
      if (javaScriptEnabled) await waitForHydration(page);
      const footer = page.getByRole("contentinfo");
      await footer.getByLabel(emailLabel).fill("Reader@Example.com");
      await footer.getByRole("button", { name: "Subscribe" }).click();
      await expect(
        page.getByRole("status").filter({ hasText: "a confirmation is pending" }),
      ).toContainText("reader@example.com");
      await expect(page.getByRole("main")).toContainText("This site has no mail server yet");
      await expect(page).toHaveURL("/newsletter");
      await expect(page.getByText("a confirmation is pending")).toBeInViewport();
      await expect(footer.getByLabel(emailLabel)).toHaveValue("");
    });

    test("an email address that only the server refuses stays in the box", async ({ page }) => {
      await page.goto("/newsletter");
      if (javaScriptEnabled) await waitForHydration(page);
      const main = page.getByRole("main");
      const tooLong = `${"x".repeat(60)}@${"y".repeat(60)}.${"y".repeat(60)}.${"y".repeat(60)}.${"y".repeat(60)}.example`;
      await main.getByLabel(emailLabel).fill(tooLong);
      await main.getByRole("button", { name: "Subscribe" }).click();
      await expect(main.getByText("Please enter a shorter email address")).toBeVisible();
      await expect(main.getByLabel(emailLabel)).toHaveValue(tooLong);
      await expect(main.getByLabel(emailLabel)).toHaveAttribute("aria-invalid", "true");
    });
  });
}
