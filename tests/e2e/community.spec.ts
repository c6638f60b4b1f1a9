import sharp from "sharp";
import { expect, test, waitForHydration } from "./support.ts";

const createPhoto = () =>
  sharp({ create: { width: 40, height: 30, channels: 3, background: "#777" } })
    .png()
    .toBuffer();

test("the community page has the specified sections, labels and numbers of cards", async ({
  page,
}) => {
  await page.goto("/community");
  const main = page.getByRole("main");
  await expect(main.getByRole("link", { name: "Volunteer Today" })).toHaveAttribute(
    "href",
    "#volunteer",
  );
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
  for (const link of await main.getByRole("link").all()) {
    const { height } = (await link.boundingBox()) ?? { height: 0 };
    expect(height, String(link)).toBeGreaterThanOrEqual(24);
  }
  await expect(main.getByRole("link", { name: /^Read More ?: \w+/ })).toHaveCount(3);
  // Screen readers do not read the arrow after the link.
  await expect(stories.getByRole("link", { name: /→/ })).toHaveCount(0);
});

test("Volunteer Today scrolls to the volunteer section and focuses it", async ({ page }) => {
  await page.goto("/community");
  await waitForHydration(page);
  await page.getByRole("link", { name: "Volunteer Today" }).click();
  await expect(page.locator("#volunteer")).toBeFocused();
  await expect(page.getByRole("heading", { name: "Volunteer Opportunities" })).toBeInViewport();
});

test.describe("a reader's story", () => {
  test("with missing fields is refused without losing any input, files included, and is stored once after the corrections", async ({
    page,
  }) => {
    const photo = { name: "cat.png", mimeType: "image/png", buffer: await createPhoto() };
    await page.goto("/community/submit");
    await waitForHydration(page);
    await page.getByLabel("Your story").fill("It began with a cat.");
    await page.getByLabel("Photo 1", { exact: true }).setInputFiles(photo);
    await page.getByLabel("Photo 1: Image description").fill("A cat");
    const secondPhoto = page.getByLabel("Photo 2", { exact: true });
    // The browser reports a file that is too large before anything is sent.
    await secondPhoto.setInputFiles({ ...photo, buffer: Buffer.alloc(8 * 1024 * 1024 + 1) });
    expect(
      await secondPhoto.evaluate((input: HTMLInputElement) => input.validationMessage),
    ).toContain("8 MB");
    await secondPhoto.setInputFiles({ ...photo, buffer: Buffer.from("<svg/>") });
    expect(await secondPhoto.evaluate((input: HTMLInputElement) => input.validationMessage)).toBe(
      "",
    );
    await page
      .locator("form")
      .filter({ hasText: "Your story" })
      .evaluate((form: HTMLFormElement) => {
        form.noValidate = true;
      });
    await page.getByRole("button", { name: "Send Your Story" }).click();
    const summary = page.getByRole("group", { name: "3 fields need another look." });
    await expect(summary).toBeFocused();
    await expect(page.getByRole("alert"), "an alert would be read twice").toHaveCount(0);
    await expect(summary.getByRole("link")).toHaveText([
      /title/,
      /cannot read this file/,
      /check this box/,
    ]);
    await summary.getByRole("link", { name: "cannot read this file" }).click();
    await expect(secondPhoto).toBeFocused();
    await expect(secondPhoto).toHaveAttribute("aria-invalid", "true");
    await expect(page.getByLabel("Your story")).toHaveValue("It began with a cat.");
    await expect(page.getByText("please choose them again")).toHaveCount(0);

    await secondPhoto.setInputFiles([]);
    await page.getByLabel("Title").fill("The cat of Pier 5");
    const consent = page.getByLabel(/my own work/);
    const box = await consent.boundingBox();
    expect(Math.min(box?.width ?? 0, box?.height ?? 0)).toBeGreaterThanOrEqual(24);
    await consent.check();
    await page.waitForTimeout(2_100);
    // The photo that was chosen before the refusal is still selected.
    const firstPhoto = page.getByLabel("Photo 1", { exact: true });
    expect(await firstPhoto.evaluate((input: HTMLInputElement) => input.files?.[0]?.name)).toBe(
      "cat.png",
    );
    await page.getByRole("button", { name: "Send Your Story" }).dblclick();
    await expect(page.getByRole("heading", { level: 1, name: "Thank You!" })).toBeInViewport();
  });

  test("can have 20,000 characters in any script", async ({ page }) => {
    await page.goto("/community/submit");
    await waitForHydration(page);
    await page.getByLabel("Title").fill("Длинная история");
    await page.getByLabel("Your story").fill("й".repeat(20_000));
    await page.getByLabel(/my own work/).check();
    await page.waitForTimeout(2_100);
    await page.getByRole("button", { name: "Send Your Story" }).click();
    await expect(page.getByRole("heading", { level: 1, name: "Thank You!" })).toBeInViewport();
  });

  test("can be sent without JavaScript", async ({ browser, baseURL }) => {
    const page = await browser.newPage({
      javaScriptEnabled: false,
      ...(baseURL ? { baseURL } : {}),
    });
    await page.goto("/community/submit");
    await page.getByLabel("Title").fill("Plain");
    await page.getByLabel("Your story").fill("Text.");
    await page.getByLabel("Photo 1: Image description").fill("Nothing yet");
    const file = { name: "cat.png", mimeType: "image/png" };
    await page.locator("#picture1").setInputFiles({ ...file, buffer: Buffer.from("not an image") });
    await page.getByLabel(/my own work/).check();
    await page.getByRole("button", { name: "Send Your Story" }).click();
    await expect(page.locator("#picture1-error")).toContainText("We cannot read this file.");
    await expect(page.getByText("please choose them again")).toBeVisible();
    await expect(page.getByLabel("Photo 1: Image description")).toHaveValue("Nothing yet");
    await page.locator("#picture1").setInputFiles({ ...file, buffer: await createPhoto() });
    await page.waitForTimeout(2_100);
    await page.getByRole("button", { name: "Send Your Story" }).click();
    await expect(page.getByRole("heading", { level: 1, name: "Thank You!" })).toBeInViewport();
    await page.close();
  });
});
