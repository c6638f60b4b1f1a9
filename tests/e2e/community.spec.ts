import { expect, hydrated, test } from "./support.ts";

test("has its parts, labels and counts", async ({ page }) => {
  await page.goto("/community");
  const main = page.getByRole("main");
  await expect(main.getByRole("link", { name: "Volunteer Today" })).toHaveAttribute("href", "#volunteer");
  const stories = main.getByRole("region", { name: "Local Stories" });
  await expect(stories.getByRole("article")).toHaveCount(3);
  await expect(stories.getByRole("link", { name: "Submit Your Story" })).toHaveAttribute(
    "href",
    "/community/submit",
  );
  const volunteer = main.getByRole("region", { name: "Volunteer Opportunities" });
  await expect(volunteer.getByRole("listitem")).toHaveCount(4);
  for (const link of await volunteer.getByRole("link", { name: /opens in a new tab/ }).all()) {
    await expect(link).toHaveAttribute("target", "_blank");
    await expect(link).toHaveAttribute("rel", "noopener");
  }
  await expect(volunteer.getByRole("link", { name: "List Your Organization" })).toHaveAttribute(
    "href",
    "/contact",
  );
  await expect(
    main.getByRole("region", { name: "Community Resources" }).getByRole("heading", { level: 3 }),
  ).toHaveText(["Local Government", "Education", "Healthcare"]);
  await expect(main.locator(".ad-row")).toHaveCount(1);
});

test("Volunteer Today leads to the volunteers, with the focus", async ({ page }) => {
  await page.goto("/community");
  await hydrated(page);
  await page.getByRole("link", { name: "Volunteer Today" }).click();
  await expect(page.locator("#volunteer")).toBeFocused();
  await expect(page.getByRole("heading", { name: "Volunteer Opportunities" })).toBeInViewport();
});

test.describe("a reader's story", () => {
  test("that lacks something comes back whole, with what is missing", async ({ page }) => {
    await page.goto("/community/submit");
    await hydrated(page);
    await page.getByLabel("Your story").fill("It began with a cat.");
    await page
      .locator("form")
      .filter({ hasText: "Your story" })
      .evaluate((form: HTMLFormElement) => {
        form.noValidate = true;
      });
    await page.getByRole("button", { name: "Send Your Story" }).click();
    await expect(page.getByRole("alert")).toContainText("2 fields need another look.");
    await expect(page.getByRole("alert")).toBeFocused();
    await expect(page.getByRole("alert").getByRole("link")).toHaveText([/title/, /tick this box/]);
    await page.getByRole("alert").getByRole("link", { name: "Please give your story a title." }).click();
    await expect(page.getByLabel("Title")).toBeFocused();
    await expect(page.getByLabel("Your story")).toHaveValue("It began with a cat.");
  });

  test("is thanked for when it waits for an editor, once however often it is sent", async ({ page }) => {
    await page.goto("/community/submit");
    await hydrated(page);
    await page.getByLabel("Title").fill("The cat of Pier 5");
    await page.getByLabel("Your story").fill("It began with a cat.");
    await page.getByLabel(/my own work/).check();
    await page.waitForTimeout(2_100);
    await page.getByRole("button", { name: "Send Your Story" }).dblclick();
    await expect(page.getByRole("heading", { level: 1, name: "Thank You!" })).toBeVisible();
  });

  test("of 20,000 letters of any script is not too long", async ({ page }) => {
    await page.goto("/community/submit");
    await hydrated(page);
    await page.getByLabel("Title").fill("Длинная история");
    await page.getByLabel("Your story").fill("й".repeat(20_000));
    await page.getByLabel(/my own work/).check();
    await page.waitForTimeout(2_100);
    await page.getByRole("button", { name: "Send Your Story" }).click();
    await expect(page.getByRole("heading", { level: 1, name: "Thank You!" })).toBeVisible();
  });

  test("can be sent without JavaScript", async ({ browser, baseURL }) => {
    const page = await browser.newPage({ javaScriptEnabled: false, ...(baseURL ? { baseURL } : {}) });
    await page.goto("/community/submit");
    await page.getByLabel("Title").fill("Plain");
    await page.getByLabel("Your story").fill("Words.");
    await page.getByLabel(/my own work/).check();
    await page.waitForTimeout(2_100);
    await page.getByRole("button", { name: "Send Your Story" }).click();
    await expect(page.getByRole("heading", { level: 1, name: "Thank You!" })).toBeVisible();
    await page.close();
  });
});
