import { test as baseTest, type Page } from "@playwright/test";
import { startCity, type TestCity } from "../support/city.ts";
import { expect, waitForHydration } from "./support.ts";

const playerUrl = "https://www.youtube-nocookie.com/embed/jNQXAC9IVRw?rel=0&modestbranding=1";
const wallUrl = "https://www.youtube-nocookie.com/wall";
const videoSection = (page: Page) => page.getByRole("region", { name: "Featured Video" });

baseTest.describe("an embed", () => {
  baseTest.describe.configure({ mode: "serial" });
  let city: TestCity;
  baseTest.beforeAll(async () => {
    const youtube = "  youtube: https://www.youtube.com/watch?v=jNQXAC9IVRw\n";
    const externalWall = `outside: { service: { key: youtube, name: YouTube }, url: "${wallUrl}", poster: { file: hero.svg, width: 9, height: 16 } }`;
    city = await startCity({
      "home.yaml": (source) => source.replace("video:\n", `video:\n${youtube}`),
      "events.yaml": (source) => `${externalWall}\n${source}`,
    });
  });
  baseTest.afterAll(() => city.close());

  /**
   * Responds in place of the external services. Returns the requested URLs, including later ones.
   */
  async function fakeServices(page: Page): Promise<string[]> {
    const requestedUrls: string[] = [];
    await page.route(/^https:/, async (route) => {
      requestedUrls.push(route.request().url());
      await route.fulfill({ contentType: "text/html", body: "<p>player</p>" });
    });
    return requestedUrls;
  }

  baseTest("is not loaded before the reader presses Load", async ({ page }) => {
    const requestedUrls = await fakeServices(page);
    await page.goto(city.server.url, { waitUntil: "networkidle" });
    await waitForHydration(page);
    await videoSection(page).scrollIntoViewIfNeeded();
    expect(requestedUrls).toEqual([]);
    await expect(videoSection(page).locator("[data-embed-src]")).toHaveAttribute(
      "data-embed-src",
      playerUrl,
    );
    await expect(
      videoSection(page).getByRole("link", { name: /^Watch on YouTube/ }),
    ).toHaveAttribute("href", "https://www.youtube.com/watch?v=jNQXAC9IVRw");
    const posterBox = await videoSection(page).locator(".embed-poster").boundingBox();
    await videoSection(page).getByRole("button", { name: "Load the video" }).click();
    const frame = videoSection(page).locator("iframe");
    await expect(frame).toHaveAttribute("src", playerUrl);
    await expect(frame).toHaveAttribute("title", "Baltimore, drawn");
    await expect(frame).toHaveAttribute("sandbox", /allow-scripts/);
    await expect(frame.contentFrame().getByText("player")).toBeVisible();
    expect(requestedUrls).toEqual([playerUrl]);
    expect(await frame.boundingBox()).toEqual(posterBox);
    await page.reload();
    await waitForHydration(page);
    await expect(videoSection(page).getByRole("button", { name: "Load the video" })).toBeVisible();
  });

  baseTest(
    "loads with the page once the reader has chosen Always load, until the reader undoes the choice",
    async ({ page }) => {
      await fakeServices(page);
      await page.goto(city.server.url);
      await waitForHydration(page);
      await videoSection(page).getByLabel("Always load YouTube on this device").check();
      await videoSection(page).getByRole("button", { name: "Load the video" }).click();
      await page.reload();
      await expect(videoSection(page).locator("iframe")).toHaveAttribute("src", playerUrl);
      await videoSection(page).getByRole("button", { name: "Ask me again next time" }).click();
      await page.reload();
      await waitForHydration(page);
      await expect(videoSection(page).locator("iframe")).toHaveCount(0);
      expect(await page.evaluate(() => localStorage.getItem("harborline.embeds"))).toBeNull();
    },
  );

  baseTest(
    "has a link without JavaScript, and no button that would do nothing",
    async ({ browser }) => {
      const page = await browser.newPage({ javaScriptEnabled: false });
      await page.goto(city.server.url);
      await expect(
        videoSection(page).getByRole("link", { name: /^Watch on YouTube/ }),
      ).toBeVisible();
      await expect(videoSection(page).getByRole("button")).toHaveCount(0);
      await page.close();
    },
  );

  baseTest(
    "is allowed by the Content Security Policy only if embeds.yaml lists its host",
    async ({ request }) => {
      const policy = (await request.get(city.server.url)).headers()["content-security-policy"];
      expect(policy).toContain(
        "frame-src 'self' https://www.youtube-nocookie.com https://www.openstreetmap.org;",
      );
    },
  );

  baseTest("can be an external events wall, which replaces ours", async ({ page }) => {
    const requestedUrls = await fakeServices(page);
    await page.goto(`${city.server.url}/events`);
    await waitForHydration(page);
    const poster = await page.locator(`[data-embed-src="${wallUrl}"] .embed-poster`).boundingBox();
    expect((poster?.height ?? 0) / (poster?.width ?? 1)).toBeCloseTo(16 / 9, 1);
    await expect(page.getByRole("navigation", { name: "Filter events" })).toHaveCount(0);
    expect(requestedUrls).toEqual([]);
    await page.getByRole("button", { name: "Load the events wall" }).click();
    await expect(
      page.getByTitle("The events wall").contentFrame().getByText("player"),
    ).toBeVisible();
    expect(requestedUrls).toEqual([wallUrl]);
  });

  baseTest(
    "loads with the page if the city sets eager, and the privacy page says so",
    async ({ page }) => {
      await city.edit("embeds.yaml", (source) => source.replace("eager: false", "eager: true"));
      await expect
        .poll(async () => (await page.request.get(city.server.url)).text(), { timeout: 5_000 })
        .toContain('<iframe src="https://www.youtube-nocookie.com/');
      expect(await (await page.request.get(`${city.server.url}/privacy`)).text()).toContain(
        "load together with the page",
      );
    },
  );
});
