import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import sharp from "sharp";
import { startCity } from "../support/city.ts";
import { test as base, desktop, expect, phone } from "./support.ts";

/** A photo of 24 million pixels as a camera saves it, with the place where it was taken. */
const createCameraPhoto = () =>
  sharp({ create: { width: 6_000, height: 4_000, channels: 3, background: "#975" } })
    .withExif({
      IFD0: { Artist: "Secret Street 5" },
      IFD3: { GPSLatitudeRef: "N", GPSLatitude: "39/1 17/1 0/1" },
    })
    .jpeg()
    .toBuffer();

const test = base.extend<object, { cityUrl: string }>({
  cityUrl: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright requires a pattern here
    async ({}, use) => {
      const city = await startCity({});
      await writeFile(join(city.siteFolder, "news/pier.jpg"), await createCameraPhoto());
      await writeFile(join(city.siteFolder, "news/night.jpg"), await createCameraPhoto());
      await city.edit("news/trash-wheel.md", (source) =>
        source
          .replace("trash-wheel.svg", "pier.jpg")
          .replace(/^ {2}alt:/m, "  caption: The pier at noon.\n  credit: Ann Lee\n  alt:")
          .replace("\n## ", "\n![The pier at night](night.jpg)\n\n## "),
      );
      const fetchStory = async () => (await fetch(`${city.server.url}/news/trash-wheel`)).text();
      await expect.poll(fetchStory).toContain("/photos/news/pier.jpg/");
      await use(city.server.url);
      await city.close();
    },
    { scope: "worker" },
  ],
  baseURL: ({ cityUrl }, use) => use(cityUrl),
});

const readVariant = (page: Page, alt: RegExp) =>
  page
    .getByRole("main")
    .getByAltText(alt)
    .first()
    .evaluate((image: HTMLImageElement) =>
      image.complete && image.naturalWidth > 0 ? new URL(image.currentSrc).pathname : "",
    );

for (const [name, viewport, lead] of [
  ["a phone", phone, "480.avif"],
  ["a desktop", desktop, "960.avif"],
] as const) {
  test(`${name} gets the photos of a story in the width that it needs`, async ({ page }) => {
    await page.setViewportSize(viewport);
    // The front page comes first, because a browser does not load a smaller variant again.
    await page.goto("/");
    const card = page
      .getByRole("main")
      .getByAltText(/Mr\. Trash Wheel/)
      .first();
    await card.scrollIntoViewIfNeeded();
    await expect
      .poll(() => readVariant(page, /Mr\. Trash Wheel/))
      .toBe("/photos/news/pier.jpg/480.avif");
    await expect(card).toHaveAttribute("loading", "lazy");
    await page.goto("/news/trash-wheel");
    await expect
      .poll(() => readVariant(page, /Mr\. Trash Wheel/))
      .toBe(`/photos/news/pier.jpg/${lead}`);
    const photoInText = page.getByAltText("The pier at night");
    await photoInText.scrollIntoViewIfNeeded();
    await expect
      .poll(() => readVariant(page, /The pier at night/))
      .toBe(`/photos/news/night.jpg/${lead}`);
  });
}

test("nothing moves while a photo loads, and the photo does not say where it was taken", async ({
  page,
}) => {
  await page.addInitScript(() => {
    const shifts: number[] = [];
    Object.assign(window, { shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries())
        shifts.push("value" in entry ? Number(entry.value) : 0);
    }).observe({ type: "layout-shift", buffered: true });
  });
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route("**/photos/**", async (route) => {
    await released;
    await route.continue();
  });
  await page.setViewportSize(phone);
  await page.goto("/news/trash-wheel", { waitUntil: "domcontentloaded" });
  const lead = page
    .getByRole("main")
    .getByAltText(/Mr\. Trash Wheel/)
    .first();
  const caption = page.locator("figcaption");
  await expect(lead).toHaveAttribute("fetchpriority", "high");
  await expect(lead).not.toHaveAttribute("loading");
  await expect(caption).toHaveText("The pier at noon. Photo: Ann Lee");
  const readTop = async () => (await caption.boundingBox())?.y ?? 0;
  const topBefore = await readTop();
  const responding = page.waitForResponse(/\/photos\/news\/pier/);
  release();
  const response = await responding;
  await expect.poll(() => readVariant(page, /Mr\. Trash Wheel/)).not.toBe("");
  // Variants are whole pixels high, so their ratios differ by a fraction of a pixel.
  expect(Math.abs((await readTop()) - topBefore)).toBeLessThan(0.5);
  expect(await page.evaluate(() => Reflect.get(window, "shifts"))).toEqual([]);

  expect(response.headers()["content-type"]).toBe("image/avif");
  const bytes = await response.body();
  expect(bytes.includes("Secret Street")).toBe(false);
  expect((await sharp(bytes).metadata()).exif).toBeUndefined();
});
