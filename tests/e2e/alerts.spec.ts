import type { Locator, Page } from "@playwright/test";
import { startCity } from "../support/city.ts";
import { runInServer } from "../support/newsroom.ts";
import {
  createOfficialAlert,
  createWeather,
  startWeatherService,
} from "../support/weather-service.ts";
import { shareCity } from "./own-city.ts";
import { createAxe, expect, phone, stopClock, test, waitForHydration } from "./support.ts";

test.use({ viewport: phone });
const city = shareCity(test, () => startCity({}));

const newsroom = async (...argv: string[]) => {
  const { code, output } = await runInServer(city().dataDir, argv);
  expect(code, output).toBe(0);
  return output;
};

test("a reader sees an alert, dismisses it, and sees an urgent one again when its text changes", async ({
  page,
  browser,
  baseURL,
}) => {
  const banner = page.getByRole("complementary", { name: "Alerts" });
  const created = await newsroom(
    "alert",
    "Water is off downtown",
    "--level",
    "urgent",
    "--link",
    "/news",
  );
  const other = await newsroom("alert", "Offices are closed");
  const idOf = (output: string) => /alert end (\w+)/.exec(output)?.[1] ?? "";
  // A page shows an alert a moment after its command. The first page with it announces it.
  const readPage = async () => (await page.request.get("/news")).text();
  await expect.poll(readPage).toContain("Offices are closed");
  await page.goto("/news");
  await expect(banner.getByRole("button")).toHaveCount(2);
  await expect(banner).toContainText("Water is off downtown");
  await waitForHydration(page);
  await expect(page.getByRole("status").filter({ hasText: "Water is off" })).toHaveCount(1);
  await expect(page.locator(".ad-row").first()).toBeHidden();
  expect((await createAxe(page).include("#alerts").analyze()).violations).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(phone.width);

  await stopClock(page);
  const dismiss = (text: string) =>
    banner.locator("[data-alert]").filter({ hasText: text }).getByRole("button").click();
  await dismiss("Water");
  await dismiss("Offices");
  await expect(banner.getByRole("button")).toHaveCount(0);
  // Also on the next page, before its scripts run, and nothing is announced again.
  await page.goto("/", { waitUntil: "commit" });
  await expect(page.locator("[data-alert]")).toHaveCount(2);
  await expect(page.locator("[data-alert]:visible")).toHaveCount(0);

  // A reader who opens pages without loading documents sees what is new, and what has ended.
  await waitForHydration(page);
  await newsroom("alert", "end", idOf(other));
  await newsroom("alert", "extend", idOf(created), "--text", "Boil water downtown");
  await page.clock.runFor(20_000);
  await page.getByRole("link", { name: "Latest News" }).first().click();
  await expect(banner).toContainText("Boil water downtown");
  await expect(page.locator("[data-alert]")).toHaveCount(1);
  await page.clock.runFor(1_000);
  await expect(page.getByRole("status").filter({ hasText: "Boil water" })).toHaveCount(1);
  await page.clock.runFor(120_000);
  await expect(page.locator(".donation-popup")).toHaveCount(0);

  const plain = await browser.newContext({ javaScriptEnabled: false, viewport: phone });
  const reader = await plain.newPage();
  await reader.goto(`${baseURL}/events`);
  await expect(reader.getByText("Boil water downtown")).toBeVisible();
  await expect(reader.locator("#alerts button:visible")).toHaveCount(0);
  await plain.close();
});

test("an alert leaves an open tab when it ends, even if the device's clock is ahead of the server's", async ({
  page,
}) => {
  const created = await newsroom("alert", "Road closed", "--until", "23:59");
  const readPage = async () => (await page.request.get("/about")).text();
  await expect.poll(readPage).toContain("Road closed");
  await page.clock.install({ time: Date.now() + 48 * 3_600_000 });
  await page.goto("/about");
  await waitForHydration(page);
  const alert = page.locator("[data-alert]").filter({ hasText: "Road closed" });
  await expect(alert).toHaveCount(1);
  await newsroom("alert", "end", /alert end (\w+)/.exec(created)?.[1] ?? "");
  await expect(async () => {
    await page.clock.runFor(25_000);
    await expect(alert).toHaveCount(0, { timeout: 1_000 });
  }).toPass();
});

test.describe("below the banner of an alert", () => {
  /** Creates an alert, and opens a page with its banner. */
  const openWithAlert = async (page: Page, text: string) => {
    await newsroom("alert", text);
    await expect(async () => {
      await page.goto("/about");
      await expect(page.getByText(text)).toBeVisible({ timeout: 5_000 });
    }).toPass();
  };

  /** Fails if the panel covers a part of the header, or ends outside the screen. */
  const expectBelowHeader = async (page: Page, panel: Locator) => {
    await expect(panel).toBeVisible();
    const header = await page.getByRole("banner").boundingBox();
    const box = await panel.boundingBox();
    expect(box?.y).toBeCloseTo((header?.y ?? 0) + (header?.height ?? 0), 0);
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(phone.height);
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(page.viewportSize()?.width ?? 0);
  };

  test("the header's panels begin below the header, and a second press of their button closes them", async ({
    page,
  }) => {
    await openWithAlert(page, "Schools are closed");
    await waitForHydration(page);
    for (const scroll of [0, 400])
      for (const [name, id] of [
        ["Menu", "site-menu"],
        ["Search", "site-search"],
        ["Display", "site-display"],
      ] as const) {
        await page.evaluate((y) => scrollTo(0, y), scroll);
        // The same element, whose name changes.
        const button = page.locator(`[popovertarget=${id}]`);
        const panel = page.locator(`#${id}`);
        await button.click();
        if (name === "Display") await panel.getByText("Larger").waitFor();
        await expectBelowHeader(page, panel);
        await button.click();
        await expect(panel, `${name}, ${scroll} px down`).toBeHidden();
      }
    await page.setViewportSize({ width: 1440, height: phone.height });
    await page.evaluate(() => scrollTo(0, 0));
    const display = page.locator("#site-display");
    const button = page.getByRole("button", { name: "Display" });
    await button.click();
    await display.getByRole("radio").first().focus();
    await expectBelowHeader(page, display);
    await button.click();
    await expect(display).toBeHidden();
  });

  test.describe("without JavaScript", () => {
    test.use({ javaScriptEnabled: false });

    test("the menu opens below the header, and closes where it was opened", async ({ page }) => {
      await openWithAlert(page, "Courts are closed");
      const button = page.getByRole("banner").getByRole("button", { name: /Menu|Close/ });
      await button.click();
      await expectBelowHeader(page, page.locator("#site-menu"));
      await button.click();
      await expect(page.locator("#site-menu")).toBeHidden();
    });
  });
});

test.describe("official alerts", () => {
  let weather: Awaited<ReturnType<typeof startWeatherService>>;
  shareCity(test, async () => {
    const at = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();
    const warn = (id: string, event: string) =>
      createOfficialAlert({
        id,
        sent: at(-30),
        expires: at(60),
        ends: at(120),
        event,
        headline: `${event} issued November 19 at 3:12AM EST until November 19 at 10:00PM EST by NWS Baltimore MD/Washington DC`,
        description: "* IMPACTS...Trees may fall.\n\n".repeat(10),
      });
    const documents = createWeather(new Date());
    const forecast = JSON.stringify(documents).replaceAll("Partly Sunny", "Chance Thunderstorms");
    weather = await startWeatherService({
      ...JSON.parse(forecast),
      "/alerts/active?zone=MDC510,MDZ011": {
        type: "FeatureCollection",
        updated: at(-20),
        features: [warn("1", "High Wind Warning"), warn("2", "Flood Warning")],
      },
    });
    const ask = (source: string) => source.replace("https://api.weather.gov", weather.url(""));
    return startCity({ "weather.yaml": ask, "alerts.yaml": ask }, { FETCH_ALLOW: weather.host });
  });
  test.afterAll(() => weather.close());

  test("the weather is not wider than a narrow phone, with any size of text", async ({ page }) => {
    const days = page.getByRole("region", { name: "Seven days" });
    await expect(async () => {
      await page.goto("/weather");
      await expect(days.getByText("Chance thunderstorms").first()).toBeVisible({ timeout: 1_000 });
    }).toPass();
    for (const [width, textSize] of [
      [320, ""],
      [320, "larger"],
      [320, "200%"],
      [360, "larger"],
      [390, "larger"],
    ] as const) {
      await page.setViewportSize({ width, height: 844 });
      const overflow = await page.evaluate((size) => {
        document.documentElement.dataset.textSize = size;
        document.documentElement.style.fontSize = size === "200%" ? size : "";
        return document.documentElement.scrollWidth - innerWidth;
      }, textSize);
      expect(overflow, `at ${width} px ${textSize}`).toBeLessThanOrEqual(0);
    }
  });

  test("leave the weather in sight on a phone, and a link in the banner opens the text of one", async ({
    page,
  }) => {
    const now = page.getByRole("region", { name: "Now" });
    await expect(async () => {
      await page.goto("/weather");
      await expect(now).toBeVisible({ timeout: 1_000 });
      const alerts = page.getByRole("heading", { name: /Warning issued/ });
      await expect(alerts).toHaveCount(2, { timeout: 1_000 });
    }).toPass();
    await expect(now.getByText("Humidity")).toBeInViewport();
    const text = page.getByText("Trees may fall.").filter({ visible: true });
    await expect(text).toHaveCount(0);
    await page.getByRole("link", { name: "Flood Warning" }).click();
    await expect(text.first()).toBeInViewport();
    await page.goto("/news");
    await waitForHydration(page);
    await page.getByRole("link", { name: "High Wind Warning" }).click();
    await expect(page.getByText(/^High Wind Warning issued/)).toBeInViewport();
    await expect(text.first()).toBeInViewport();
  });
});
