import { test as baseTest, type Locator } from "@playwright/test";
import { startCity, type TestCity } from "../support/city.ts";
import { desktop, expect, phone, test, waitForHydration } from "./support.ts";

/** Returns whether all five rows of a feed are completely visible inside its box. */
const areRowsVisible = (box: Locator) =>
  box.evaluate((element) => {
    const { top, bottom } = element.getBoundingClientRect();
    const rows = [...element.querySelectorAll("article")].map((row) => row.getBoundingClientRect());
    return rows.length === 5 && rows.every((row) => row.top >= top && row.bottom <= bottom);
  });

const readHeight = async (box: Locator) => (await box.boundingBox())?.height;

test("a feed shows five complete rows in 400 pixels and all rows in 800, without moving the page", async ({
  page,
}) => {
  await page.goto("/local");
  await waitForHydration(page);
  const feed = page.locator("#local");
  const box = page.locator("#local-list");
  const button = feed.getByRole("button");
  for (const width of [320, 390, 820, 1440]) {
    await page.setViewportSize({ width, height: 844 });
    expect(await readHeight(box), `${width}`).toBe(400);
    expect(await areRowsVisible(box), `${width}`).toBe(true);
    const linkHeights = await box
      .getByRole("link")
      .evaluateAll((all) => all.map((link) => link.clientHeight));
    expect(Math.min(...linkHeights), `${width}`).toBeGreaterThanOrEqual(24);
  }
  await page.setViewportSize(phone);
  await expect(button).toHaveText("See All: Baltimore headlines");
  await expect(button).toHaveAttribute("aria-expanded", "false");
  // Wherever the button is on the screen, a click on it does not scroll the page, and the button
  // can be pressed again.
  for (const block of ["end", "center"] as const) {
    await button.evaluate((element, to) => element.scrollIntoView({ block: to }), block);
    const scrollBefore = await page.evaluate(() => window.scrollY);
    await button.click();
    await expect(button).toHaveText("Show Less: Baltimore headlines");
    await expect(button).toBeFocused();
    await expect(button).toHaveAttribute("aria-expanded", "true");
    await expect(button).toBeInViewport({ ratio: 1 });
    expect(await readHeight(box)).toBe(800);
    expect(await box.getByRole("article").count()).toBeGreaterThanOrEqual(8);
    expect(await page.evaluate(() => window.scrollY)).toBe(scrollBefore);
    await expect(page).toHaveURL(/\/local\?all=local$/);
    await button.click();
    await expect(box.getByRole("article")).toHaveCount(5);
    await expect(button).toBeFocused();
    expect(await page.evaluate(() => window.scrollY)).toBe(scrollBefore);
    await expect(page).toHaveURL(/\/local$/);
  }
  // The box also scrolls by keyboard.
  await button.click();
  await box.getByRole("link").first().focus();
  await page.keyboard.press("End");
  await expect.poll(() => box.evaluate((element) => element.scrollTop)).toBeGreaterThan(0);
  await page.reload();
  await expect(button).toHaveText("Show Less: Baltimore headlines");
});

test("at twice the text size, the rows of a feed are complete and no title is cut off", async ({
  page,
}) => {
  await page.goto("/local");
  await page.evaluate(() => document.documentElement.style.setProperty("font-size", "200%"));
  const box = page.locator("#local-list");
  for (const width of [320, 390, 1440]) {
    await page.setViewportSize({ width, height: 844 });
    expect(await areRowsVisible(box), `${width}`).toBe(true);
    expect(await readHeight(box), `${width}`).toBeGreaterThanOrEqual(800);
    const cutTextCount = await box
      .locator(".feed-row-title, .feed-row-source")
      .evaluateAll(
        (all) => all.filter((element) => element.scrollHeight > element.clientHeight + 1).length,
      );
    expect(cutTextCount, `${width}`).toBe(0);
  }
});

test("a feed without headlines says so and shows our own good-to-know items", async ({ page }) => {
  await page.goto("/sports");
  const golf = page.locator("#golf");
  await expect(golf).toContainText("No live headlines have arrived yet.");
  const sources = golf.locator(".feed-row-source");
  await expect(sources).toHaveText(Array(5).fill(/^Harborline( · |$)/));
  await expect(golf.locator("time")).toHaveCount(0);
  const external = golf.locator(".feed-row-source a").first();
  await expect(external).toHaveAttribute("target", "_blank");
  await expect(external).toContainText("(opens in a new tab)");
  // The list of newsrooms is collapsed to one line.
  const newsrooms = golf.locator("details");
  const espn = newsrooms.getByRole("link", { name: "ESPN (opens in a new tab)" });
  await expect(espn).toBeHidden();
  await newsrooms.getByText("We follow 2 newsrooms").click();
  await expect(espn).toHaveAttribute("href", "https://www.espn.com/");
});

test("the sports page has five feeds and a link to each", async ({ page }) => {
  await page.goto("/sports");
  const titles = ["Baseball", "Soccer", "Tennis", "Golf", "Hockey"];
  for (const title of titles)
    await expect(page.getByRole("heading", { name: title, exact: true, level: 2 })).toBeVisible();
  // Our own stories come first. Landmark regions of the feeds would only repeat the headings.
  await expect(page.getByRole("main").getByRole("region")).toHaveCount(1);
  const newsroom = page.getByRole("region", { name: "From our newsroom" });
  await expect(newsroom.getByRole("article")).toContainText("Duckpins");
  const strip = page.getByRole("navigation", { name: "On this page" });
  await expect(strip.getByRole("link")).toHaveText(titles);
  await strip.getByRole("link", { name: "Golf" }).click();
  await expect(page.getByRole("heading", { name: "Golf", exact: true })).toBeInViewport();
});

test("pages have the right number of ad slots, and fewer on a phone", async ({ page }) => {
  await page.setViewportSize(desktop);
  const visibleSlots = page.locator("main :is([data-ad-slot], [data-ad-type]):visible");
  await page.goto("/news");
  await expect(visibleSlots).toHaveCount(7);
  const ids = await page
    .locator("[data-ad-slot]")
    .evaluateAll((all) => all.map((slot) => slot.getAttribute("data-ad-slot")));
  expect(new Set(ids).size).toBe(ids.length);
  await expect(page.locator(".ad-column [data-ad-slot]")).toHaveCSS("min-height", "600px");
  await page.setViewportSize(phone);
  await expect(visibleSlots).toHaveCount(2);
  await page.goto("/politics");
  await expect(visibleSlots).toHaveCount(1);
  await page.setViewportSize(desktop);
  await expect(visibleSlots).toHaveCount(3);
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });
  test("the same button expands and collapses a feed", async ({ page }) => {
    await page.goto("/sports");
    const golf = page.locator("#golf");
    await golf.getByRole("button", { name: /^See All/ }).click();
    await expect(page).toHaveURL(/\/sports\?all=golf#golf$/);
    expect(await golf.getByRole("article").count()).toBeGreaterThanOrEqual(8);
    await expect(page.locator("#soccer").getByRole("article")).toHaveCount(5);
    await golf.getByRole("button", { name: /^Show Less/ }).click();
    await expect(golf.getByRole("article")).toHaveCount(5);
    await expect(page).toHaveURL(/\/sports\??#golf$/);
  });

  test("the archive page works, even with invalid parameters, and so does the status page", async ({
    page,
  }) => {
    await page.goto("/archives?month=2026-13&section=nothing&source=x&page=-3");
    await expect(page.getByText("The archive has no headlines yet.")).toBeVisible();
    // Every JavaScript object has a property with this name, but it is not a section.
    expect((await page.goto("/archives?section=constructor"))?.status()).toBe(200);
    await page.goto("/archives?month=2026-10&section=sports");
    await expect(page).toHaveTitle(/^Archives: October 2026, Sports/);
    await page.goto("/status");
    await expect(
      page.getByText(/^\d+ of \d+ sources need|^We have not checked our \d+ sources yet/),
    ).toBeVisible();
    await expect(page.getByRole("row", { name: /Baltimore Brew Local News/ })).toBeVisible();
    await expect(page.getByRole("main")).not.toContainText(/HTTP status \d|ENOTFOUND|EAI_AGAIN/);
  });
});

baseTest.describe("a feed that is another service's embed", () => {
  let city: TestCity;
  const embedUrl = "https://widgets.example/feed/7?style=a%20b&limit=50";
  baseTest.beforeAll(async () => {
    city = await startCity({
      "sections.yaml": (source) =>
        source.replace(
          "        title: World headlines\n",
          `        title: World headlines\n        feedUrl: ${embedUrl}\n        maxItems: 7\n`,
        ),
      "embeds.yaml": (source) =>
        `${source}  widgets: { name: Widgets, hosts: ["https://widgets.example"] }\n`,
    });
  });
  baseTest.afterAll(() => city.close());

  baseTest(
    "loads only when the reader asks for it, with an item limit while it is collapsed and without one when it is expanded",
    async ({ page }) => {
      const requests: string[] = [];
      await page.route(/^https:/, async (route) => {
        requests.push(route.request().url());
        await route.fulfill({ contentType: "text/html", body: "<p>widget</p>" });
      });
      await page.goto(`${city.server.url}/world`, { waitUntil: "networkidle" });
      await waitForHydration(page);
      expect(requests).toEqual([]);
      const feed = page.locator("#world");
      await feed.getByRole("button", { name: "Load the headlines" }).click();
      const frame = feed.locator("iframe");
      await expect(frame).toHaveAttribute(
        "src",
        "https://widgets.example/feed/7?style=a%20b&limit=7",
      );
      expect((await frame.boundingBox())?.height).toBe(400);
      await feed.getByRole("button", { name: /^See All/ }).click();
      await expect(frame).toHaveAttribute("src", embedUrl);
      expect((await frame.boundingBox())?.height).toBe(800);
      await feed.getByRole("button", { name: /^Show Less/ }).click();
      await expect(frame).toHaveAttribute("src", /limit=7$/);
    },
  );
});
