import type { Locator, Page } from "@playwright/test";
import sharp from "sharp";
import { desktop, expect, phone, stopClock, test, waitForHydration } from "./support.ts";
import { openWithWebFonts } from "./web-fonts.ts";

const paperMargin = { top: "1cm", right: "1cm", bottom: "1cm", left: "1cm" };

test("a first visit loads at most 300 KB, a video that starts only on request, and cards that open their story", async ({
  page,
}) => {
  const requestedPaths: string[] = [];
  const pending = new Set<unknown>();
  page.on("request", (request) => {
    requestedPaths.push(new URL(request.url()).pathname);
    pending.add(request);
  });
  page.on("requestfinished", (request) => pending.delete(request));
  await page.setViewportSize(phone);
  await page.goto("/");
  await waitForHydration(page);
  await expect.poll(() => pending.size).toBe(0);
  const bytes = await page.evaluate(() =>
    [
      ...performance.getEntriesByType("navigation"),
      ...performance.getEntriesByType("resource"),
    ].reduce((sum, entry) => sum + ("transferSize" in entry ? Number(entry.transferSize) : 0), 0),
  );
  expect(bytes).toBeGreaterThan(100_000);
  expect(bytes).toBeLessThanOrEqual(300 * 1024);

  expect(requestedPaths.filter((path) => path.startsWith("/film/"))).toEqual([]);
  const video = page.locator("video");
  await expect(video).toHaveCount(1);
  await expect(video).toHaveAttribute("preload", "none");
  await expect(video).toHaveAttribute("poster", /^\/art\/film-poster\.webp\/\d+\.webp\?v=/);
  await expect(video).not.toHaveAttribute("controls");
  await page.getByRole("link", { name: /^Play the video: / }).focus();
  const readSize = () => video.evaluate((element) => [element.clientWidth, element.clientHeight]);
  const sizeBefore = await readSize();
  await page.keyboard.press("Enter");
  await expect(video).toHaveAttribute("controls");
  expect(await readSize()).toEqual(sizeBefore);
  await expect(video).toBeFocused();
  await expect
    .poll(() => video.evaluate((element: HTMLVideoElement) => element.currentTime))
    .toBeGreaterThan(0);
  const [seconds, captions] = await video.evaluate((element: HTMLVideoElement) => [
    element.duration,
    element.textTracks[0]?.mode,
  ]);
  expect(seconds).toBeGreaterThanOrEqual(20);
  expect(seconds).toBeLessThanOrEqual(30);
  expect(captions).toBe("showing");
  await expect(page.getByRole("link", { name: /^Play the video: / })).toHaveCount(0);
  await video.evaluate((element: HTMLVideoElement) => element.pause());

  const card = page.getByRole("region", { name: "Featured News" }).getByRole("article").first();
  await expect(card.getByRole("img")).toHaveAttribute("alt", /.{40}/);
  await expect(card).toContainText("Neighborhoods");
  await expect(card).toContainText("November 14, 2026");
  await expect(card.getByRole("heading")).toHaveCSS("-webkit-line-clamp", "2");
  await expect(card.getByText("The stone came from quarries")).toHaveCSS("-webkit-line-clamp", "3");
  await card.click({ position: { x: 20, y: 20 } });
  await expect(page).toHaveURL(/\/news\/marble-steps$/);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(
    "How White Marble Climbed to the Rowhouse Door",
  );
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("Featured News has one large card from 1024 px, with two small ones beside it", async ({
    page,
  }) => {
    await page.goto("/");
    const cards = page.getByRole("region", { name: "Featured News" }).getByRole("article");
    for (const width of [1024, 1440, 1920]) {
      await page.setViewportSize({ width, height: 900 });
      const [large, ...small] = await Promise.all(
        (await cards.getByRole("img").all()).map((image) => image.boundingBox()),
      );
      expect(small).toHaveLength(2);
      for (const box of small) {
        expect(box?.x).toBeGreaterThan((large?.x ?? 0) + (large?.width ?? 0));
        expect(box?.width, `at ${width} px`).toBeLessThan((large?.width ?? 0) / 2);
        // Landscape photos are not cropped to portraits.
        expect((box?.width ?? 0) / (box?.height ?? 1)).toBeCloseTo(3 / 2);
      }
    }
  });

  test("the headlines of a wide page are larger than its section labels, and the lead is the largest", async ({
    page,
  }) => {
    await page.setViewportSize(desktop);
    await page.goto("/");
    const readSizes = (selector: string) =>
      page
        .locator(selector)
        .evaluateAll((all) =>
          all.map((element) => Number.parseFloat(getComputedStyle(element).fontSize)),
        );
    const [lead = 0] = await readSizes(".today-lead h3");
    const labels = await readSizes("main section:not([aria-labelledby=today]) .head-row > h2");
    const headlines = await readSizes("[aria-labelledby=featured-news] h3");
    expect(labels).toHaveLength(4);
    expect(headlines).toHaveLength(3);
    expect(Math.max(...labels)).toBeLessThan(Math.min(...headlines));
    expect(Math.max(...headlines)).toBeLessThan(lead);
  });

  test("the hero is 350, 450 or 500 px high, and its text is on plain sky at every width and text size", async ({
    page,
  }) => {
    await openWithWebFonts(page, "/");
    const hero = page.getByRole("main").locator("section").first();
    for (const [width, height] of [
      [320, 350],
      [767, 350],
      [768, 450],
      [1024, 500],
      [1920, 500],
    ] as const) {
      await page.setViewportSize({ width, height: 700 });
      expect((await hero.boundingBox())?.height, `at ${width} px`).toBe(height);
      const drawing = await captureDrawing(hero);
      for (const textSize of ["", "200%"]) {
        const { boxes, imageHeight } = await hero.evaluate((element, size) => {
          document.documentElement.style.fontSize = size;
          // The drawing is at the bottom of the hero, which grows at the top.
          const { bottom } = element.getBoundingClientRect();
          const image = element.querySelector("img")?.getBoundingClientRect();
          const boxes = Array.from(element.querySelectorAll("h1, p, a"), (part) => {
            const range = document.createRange();
            range.selectNodeContents(part);
            const box = (part.matches("a") ? part : range).getBoundingClientRect();
            return {
              text: part.textContent,
              left: box.left,
              right: box.right,
              top: box.top - bottom,
              bottom: box.bottom - bottom,
            };
          });
          document.documentElement.style.fontSize = "";
          return { boxes, imageHeight: image && bottom - image.top };
        }, textSize);
        expect(boxes).toHaveLength(4);
        expect(imageHeight, `at ${width} px`).toBe(drawing.imageHeight);
        for (const { text, ...box } of boxes) {
          const label = `"${text}" at ${width} px, text size ${textSize || "100%"}`;
          expect(box.right, label).toBeLessThanOrEqual(width);
          expect(drawing.countChangesBehind(box), label).toBe(0);
        }
      }
    }
    for (const format of ["A4", "Letter"]) {
      const pdf = await page.pdf({ format, margin: paperMargin });
      const sheets = pdf.toString("latin1").match(/\/Type\s*\/Page\b/g) ?? [];
      expect(sheets, `the front page on ${format}`).toHaveLength(2);
    }
    await page.emulateMedia({ media: "print" });
    const [image, headline] = [hero.locator("img"), hero.getByRole("heading")];
    const [above, below] = [await image.boundingBox(), await headline.boundingBox()];
    expect(below?.y, "the dark headline is not printed on the dark image").toBeGreaterThanOrEqual(
      (above?.y ?? 0) + (above?.height ?? 0),
    );
  });

  test("the upcoming events are a list at any width, and the video has the browser's controls", async ({
    page,
  }) => {
    await page.setViewportSize(desktop);
    await page.goto("/");
    const cards = page.getByRole("region", { name: "Featured events" }).getByRole("article");
    await expect(cards).toHaveCount(2);
    for (const card of await cards.all()) {
      const box = await card.boundingBox();
      expect(box?.x).toBeGreaterThanOrEqual(0);
      expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(desktop.width);
    }
    await expect(page.getByRole("button", { name: "Pause" })).toBeHidden();
    const video = page.locator("video:visible");
    await expect(video).toHaveCount(1);
    await expect(video).toHaveAttribute("controls");
  });
});

test.describe("the upcoming events", () => {
  const carousel = (page: Page) => page.getByRole("region", { name: "Featured events" });
  const visibleSlides = (page: Page) => carousel(page).locator("li.carousel-slide:not([inert])");
  const dots = (page: Page) => carousel(page).getByRole("button", { name: /^Show event/ });
  const readCurrentSlide = (page: Page) =>
    dots(page).evaluateAll((buttons) =>
      buttons.findIndex((button) => button.ariaCurrent === "true"),
    );

  test("are one per slide on a wide screen, advance every five seconds in a loop, and stop while the reader uses them", async ({
    page,
  }) => {
    await page.setViewportSize(desktop);
    await stopClock(page);
    await page.goto("/");
    await waitForHydration(page);
    await expect(dots(page)).toHaveCount(2);
    expect(await readCurrentSlide(page)).toBe(0);
    await expect(visibleSlides(page)).toHaveCount(1);
    await page.clock.runFor(4_999);
    expect(await readCurrentSlide(page)).toBe(0);
    await page.clock.runFor(1);
    await expect.poll(() => readCurrentSlide(page)).toBe(1);
    await expect(visibleSlides(page)).toHaveCount(1);
    const second = carousel(page).locator("li.carousel-slide").nth(1);
    await expect(second).not.toHaveAttribute("inert");
    await page.clock.runFor(5_000);
    await expect.poll(() => readCurrentSlide(page)).toBe(0);
    await expect(carousel(page).locator("ul").first()).toHaveCSS("transition-duration", "0.5s");

    // The event whose dot is pressed is shown for the full five seconds.
    await page.clock.runFor(4_000);
    await dots(page).nth(1).click();
    await page.mouse.move(0, 0);
    expect(await readCurrentSlide(page)).toBe(1);
    await page.clock.runFor(4_000);
    expect(await readCurrentSlide(page)).toBe(1);
    const box = await dots(page).nth(1).boundingBox();
    expect(Math.min(box?.width ?? 0, box?.height ?? 0)).toBeGreaterThanOrEqual(24);
    await dots(page).nth(0).click();

    await carousel(page).hover();
    await page.clock.runFor(11_000);
    expect(await readCurrentSlide(page), "while hovered").toBe(0);
    await page.mouse.move(0, 0);
    await page.getByRole("link", { name: "View All Events" }).focus();
    await page.keyboard.press("Tab");
    await expect(carousel(page).getByRole("button", { name: "Pause" })).toBeFocused();
    for (const _dot of [1, 2]) await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
    await expect(visibleSlides(page).getByRole("link", { name: /^Event Details/ })).toBeFocused();
    await page.clock.runFor(11_000);
    expect(await readCurrentSlide(page), "while focused").toBe(0);
    await carousel(page).getByRole("button", { name: "Pause" }).focus();
    await page.keyboard.press("Enter");
    await expect(carousel(page).getByRole("button", { name: "Play" })).toBeFocused();
    await page.getByRole("contentinfo").getByLabel("Email address").focus();
    await page.clock.runFor(11_000);
    expect(await readCurrentSlide(page), "while paused").toBe(0);
    await carousel(page).getByRole("button", { name: "Play" }).click();
    await page.mouse.move(0, 0);
    await page.clock.runFor(5_000);
    await expect.poll(() => readCurrentSlide(page)).toBe(1);
  });

  test("are a list below 768 px, and never advance automatically for readers who prefer reduced motion", async ({
    page,
  }) => {
    await page.emulateMedia({ reducedMotion: "reduce" });
    await page.setViewportSize(phone);
    await stopClock(page);
    await page.goto("/");
    await waitForHydration(page);
    await expect(visibleSlides(page)).toHaveCount(2);
    await expect(carousel(page).getByRole("button", { name: /^(Play|Pause|Show)/ })).toHaveCount(0);
    const [first, second] = await visibleSlides(page).all();
    const [above, below] = [await first?.boundingBox(), await second?.boundingBox()];
    expect(below?.y).toBeGreaterThan((above?.y ?? 0) + (above?.height ?? 0) - 1);
    await page.setViewportSize({ width: 767, height: 900 });
    await expect(visibleSlides(page)).toHaveCount(2);
    await page.setViewportSize({ width: 768, height: 900 });
    await expect(visibleSlides(page)).toHaveCount(1);

    await page.clock.runFor(20_000);
    expect(await readCurrentSlide(page)).toBe(0);
    await carousel(page).getByRole("button", { name: "Play" }).click();
    await page.mouse.move(0, 0);
    await page.clock.runFor(5_000);
    await expect.poll(() => readCurrentSlide(page)).toBe(1);
    await page.setViewportSize({ width: 767, height: 900 });
    await expect(visibleSlides(page)).toHaveCount(2);
  });
});

/** Takes a screenshot of the hero without its text. */
async function captureDrawing(hero: Locator) {
  const text = hero.locator("div").first();
  await text.evaluate((element) => element.style.setProperty("visibility", "hidden"));
  const { data, info } = await sharp(await hero.screenshot())
    .greyscale()
    .raw()
    .toBuffer({ resolveWithObject: true });
  await text.evaluate((element) => element.style.removeProperty("visibility"));
  const imageHeight = await hero.evaluate((element) => {
    const image = element.querySelector("img")?.getBoundingClientRect();
    return image && element.getBoundingClientRect().bottom - image.top;
  });
  const margin = 12;
  return {
    imageHeight,
    /**
     * Counts the pixels behind and around a box that differ from their left neighbor. Plain sky has
     * none. The box is relative to the bottom of the hero.
     */
    countChangesBehind(box: { left: number; right: number; top: number; bottom: number }) {
      const right = Math.min(info.width, Math.ceil(box.right + margin));
      const top = Math.max(0, Math.floor(info.height + box.top - margin));
      const bottom = Math.min(info.height, Math.ceil(info.height + box.bottom + margin));
      let changes = 0;
      for (let y = top; y < bottom; y += 1) {
        for (let x = Math.max(1, Math.floor(box.left - margin)); x < right; x += 1) {
          const index = y * info.width + x;
          // The gradient of the sky is dithered in steps of one.
          if (Math.abs((data[index] ?? 0) - (data[index - 1] ?? 0)) > 3) changes += 1;
        }
      }
      return changes;
    },
  };
}
