import { test as bare, type Page } from "@playwright/test";
import { startCity, type TestCity } from "../support/city.ts";
import { expect, hydrated } from "./support.ts";

const player = "https://www.youtube-nocookie.com/embed/jNQXAC9IVRw?rel=0&modestbranding=1";
const wall = "https://www.youtube-nocookie.com/wall";
const block = (page: Page) => page.getByRole("region", { name: "Featured Video" });

bare.describe("a video of another service", () => {
  bare.describe.configure({ mode: "serial" });
  let city: TestCity;
  bare.beforeAll(async () => {
    const youtube = "  youtube: https://www.youtube.com/watch?v=jNQXAC9IVRw\n";
    const outside = `outside: { service: { key: youtube, name: YouTube }, url: "${wall}", poster: { file: hero.svg, width: 9, height: 16 } }`;
    city = await startCity({
      "home.yaml": (source) => source.replace("video:\n", `video:\n${youtube}`),
      "events.yaml": (source) => `${outside}\n${source}`,
    });
  });
  bare.afterAll(() => city.close());

  /** Answers in the service's place, and notes what it was asked. */
  async function watch(page: Page): Promise<string[]> {
    const asked: string[] = [];
    await page.route(/^https:/, async (route) => {
      asked.push(route.request().url());
      await route.fulfill({ contentType: "text/html", body: "<p>player</p>" });
    });
    return asked;
  }

  bare("is not asked for before the reader presses Load", async ({ page }) => {
    const asked = await watch(page);
    await page.goto(city.server.url, { waitUntil: "networkidle" });
    await hydrated(page);
    await block(page).scrollIntoViewIfNeeded();
    expect(asked).toEqual([]);
    await expect(block(page).locator("[data-embed-src]")).toHaveAttribute("data-embed-src", player);
    await expect(block(page).getByRole("link", { name: /^Watch on YouTube/ })).toHaveAttribute(
      "href",
      "https://www.youtube.com/watch?v=jNQXAC9IVRw",
    );
    const before = await block(page).locator(".embed-poster").boundingBox();
    await block(page).getByRole("button", { name: "Load the video" }).click();
    const frame = block(page).locator("iframe");
    await expect(frame).toHaveAttribute("src", player);
    await expect(frame).toHaveAttribute("title", "Baltimore, drawn");
    await expect(frame).toHaveAttribute("sandbox", /allow-scripts/);
    await expect(frame.contentFrame().getByText("player")).toBeVisible();
    expect(asked).toEqual([player]);
    expect(await frame.boundingBox()).toEqual(before);
    await page.reload();
    await hydrated(page);
    await expect(block(page).getByRole("button", { name: "Load the video" })).toBeVisible();
  });

  bare(
    "loads at once from then on when the reader has said so, until they take it back",
    async ({ page }) => {
      await watch(page);
      await page.goto(city.server.url);
      await hydrated(page);
      await block(page).getByLabel("Always load YouTube on this device").check();
      await block(page).getByRole("button", { name: "Load the video" }).click();
      await page.reload();
      await expect(block(page).locator("iframe")).toHaveAttribute("src", player);
      await block(page).getByRole("button", { name: "Ask me again next time" }).click();
      await page.reload();
      await hydrated(page);
      await expect(block(page).locator("iframe")).toHaveCount(0);
      expect(await page.evaluate(() => localStorage.length)).toBe(0);
    },
  );

  bare("has its link without JavaScript, and no button that does nothing", async ({ browser }) => {
    const page = await browser.newPage({ javaScriptEnabled: false });
    await page.goto(city.server.url);
    await expect(block(page).getByRole("link", { name: /^Watch on YouTube/ })).toBeVisible();
    await expect(block(page).getByRole("button")).toHaveCount(0);
    await page.close();
  });

  bare(
    "is allowed by the page's policy because the city's file names its host, and no other is",
    async ({ request }) => {
      const policy = (await request.get(city.server.url)).headers()["content-security-policy"];
      expect(policy).toContain(
        "frame-src 'self' https://www.youtube-nocookie.com https://www.openstreetmap.org;",
      );
    },
  );

  bare("may as well be an events wall, which stands where ours would", async ({ page }) => {
    const asked = await watch(page);
    await page.goto(`${city.server.url}/events`);
    await hydrated(page);
    const poster = await page.locator(`[data-embed-src="${wall}"] .embed-poster`).boundingBox();
    expect((poster?.height ?? 0) / (poster?.width ?? 1)).toBeCloseTo(16 / 9, 1);
    await expect(page.getByRole("navigation", { name: "Filter events" })).toHaveCount(0);
    expect(asked).toEqual([]);
    await page.getByRole("button", { name: "Load the events wall" }).click();
    await expect(
      page.getByTitle("The events wall").contentFrame().getByText("player"),
    ).toBeVisible();
    expect(asked).toEqual([wall]);
  });

  bare(
    "loads with the page where the city wants it so, and the privacy page says it",
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
