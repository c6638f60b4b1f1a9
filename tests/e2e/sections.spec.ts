import { test as bare } from "@playwright/test";
import { startCity, type TestCity } from "../support/city.ts";
import { desktop, expect, hydrated, phone, test } from "./support.ts";

test("a feed shows five headlines in 400 pixels, all of them in 800, and goes back", async ({ page }) => {
  await page.goto("/local");
  await hydrated(page);
  const box = page.getByRole("region", { name: "Baltimore headlines, headlines" });
  const button = page.getByRole("button", { name: /^See All/ });
  const height = async () => (await box.boundingBox())?.height;
  await expect(box.getByRole("article")).toHaveCount(5);
  await expect(button).toHaveAttribute("aria-expanded", "false");
  expect(await height()).toBe(400);
  await button.click();
  const less = page.getByRole("button", { name: /^Show Less/ });
  await expect(less).toBeFocused();
  await expect(less).toHaveAttribute("aria-expanded", "true");
  expect(await box.getByRole("article").count()).toBeGreaterThanOrEqual(8);
  expect(await height()).toBe(800);
  await less.click();
  await expect(box.getByRole("article")).toHaveCount(5);
  // By keyboard the box itself can be scrolled.
  await box.focus();
  await page.keyboard.press("End");
  await expect.poll(() => box.evaluate((element) => element.scrollTop)).toBeGreaterThan(0);
  await expect(page).toHaveURL(/\/local$/);
});

test("the page of sports has five feeds, and a way to each", async ({ page }) => {
  await page.goto("/sports");
  const titles = ["Baseball", "Soccer", "Tennis", "Golf", "Hockey"];
  for (const title of titles)
    await expect(page.getByRole("heading", { name: title, exact: true, level: 2 })).toBeVisible();
  const strip = page.getByRole("navigation", { name: "On this page" });
  await expect(strip.getByRole("link")).toHaveText(titles);
  await strip.getByRole("link", { name: "Golf" }).click();
  await expect(page.getByRole("heading", { name: "Golf", exact: true })).toBeInViewport();
});

test("places for advertisements stand where they are meant to, and fewer on a phone", async ({ page }) => {
  await page.setViewportSize(desktop);
  const visible = page.locator("main :is([data-ad-slot], [data-ad-type]):visible");
  await page.goto("/news");
  await expect(visible).toHaveCount(7);
  const ids = await page
    .locator("[data-ad-slot]")
    .evaluateAll((all) => all.map((one) => one.getAttribute("data-ad-slot")));
  expect(new Set(ids).size).toBe(ids.length);
  await expect(page.locator(".ad-column [data-ad-slot]")).toHaveCSS("min-height", "600px");
  await page.setViewportSize(phone);
  await expect(visible).toHaveCount(2);
  await page.goto("/politics");
  await expect(visible).toHaveCount(1);
  await page.setViewportSize(desktop);
  await expect(visible).toHaveCount(3);
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });
  test("the same button shows all, and fewer again", async ({ page }) => {
    await page.goto("/sports");
    const golf = page.locator("#golf");
    await golf.getByRole("button", { name: /^See All/ }).click();
    await expect(page).toHaveURL(/\/sports\?all=golf#golf$/);
    expect(await golf.getByRole("article").count()).toBeGreaterThanOrEqual(8);
    await expect(page.locator("#soccer").getByRole("article")).toHaveCount(5);
    await golf.getByRole("button", { name: /^Show Less/ }).click();
    await expect(golf.getByRole("article")).toHaveCount(5);
  });

  test("the archive and the status are plain pages of links and words", async ({ page }) => {
    await page.goto("/archives?month=2026-13&section=nothing&source=x&page=-3");
    await expect(page.getByText("None is kept here yet.")).toBeVisible();
    await page.goto("/status");
    await expect(page.getByRole("heading", { name: "Baltimore Brew" })).toBeVisible();
  });
});

bare.describe("a feed that another service shows", () => {
  let city: TestCity;
  const address = "https://widgets.example/feed/7?style=a%20b&limit=50";
  bare.beforeAll(async () => {
    city = await startCity({
      "sections.yaml": (source) =>
        source.replace(
          "        title: World headlines\n",
          `        title: World headlines\n        feedUrl: ${address}\n        maxItems: 7\n`,
        ),
      "embeds.yaml": (source) =>
        `${source}  widgets: { name: Widgets, hosts: ["https://widgets.example"] }\n`,
    });
  });
  bare.afterAll(() => city.close());

  bare(
    "is asked for only then, with a limit while collapsed and as written when expanded",
    async ({ page }) => {
      const asked: string[] = [];
      await page.route(/^https:/, async (route) => {
        asked.push(route.request().url());
        await route.fulfill({ contentType: "text/html", body: "<p>widget</p>" });
      });
      await page.goto(`${city.server.url}/world`, { waitUntil: "networkidle" });
      await hydrated(page);
      expect(asked).toEqual([]);
      const feed = page.locator("#world");
      await feed.getByRole("button", { name: "Load the headlines" }).click();
      const frame = feed.locator("iframe");
      await expect(frame).toHaveAttribute("src", "https://widgets.example/feed/7?style=a%20b&limit=7");
      expect((await frame.boundingBox())?.height).toBe(400);
      await feed.getByRole("button", { name: /^See All/ }).click();
      await expect(frame).toHaveAttribute("src", address);
      expect((await frame.boundingBox())?.height).toBe(800);
      await feed.getByRole("button", { name: /^Show Less/ }).click();
      await expect(frame).toHaveAttribute("src", /limit=7$/);
    },
  );
});
