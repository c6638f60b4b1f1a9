import type { Locator, Page } from "@playwright/test";
import sharp from "sharp";
import { desktop, expect, phone, stopClock, test, waitForHydration } from "./support.ts";

test("the home page has its nine parts in the specified order, with their links, and today's strip", async ({
  page,
}) => {
  await page.goto("/");
  const main = page.getByRole("main");
  await expect(main.getByRole("heading", { level: 1 })).toBeVisible();
  await expect(main.getByRole("heading", { level: 2 })).toHaveText([
    /^Today in Baltimore: /,
    "Featured Video",
    "Featured News",
    "Upcoming Events",
    "Community Highlights",
    "Did You Know?",
  ]);
  for (const [name, path] of [
    ["Latest News", "/news"],
    ["Upcoming Events", "/events"],
    ["View All News", "/news"],
    ["View All Events", "/events"],
    ["View Community Page", "/community"],
  ] as const) {
    await expect(main.getByRole("link", { name, exact: true })).toHaveAttribute("href", path);
  }
  await expect(main.getByRole("link", { name: /Wikipedia/ })).toHaveAttribute(
    "href",
    "https://en.wikipedia.org/wiki/Baltimore",
  );
  // Hero, today, video, news, ads, events, ads, community, fact, ads.
  const parts = await main
    .locator(":scope > section, :scope > .ad-row")
    .evaluateAll((elements) =>
      elements.map((element) =>
        element.classList.contains("ad-row") ? "ads" : element.querySelector("h1, h2")?.id,
      ),
    );
  expect(parts).toEqual([
    "",
    "today",
    "featured-video",
    "featured-news",
    "ads",
    "upcoming-events",
    "ads",
    "community",
    "did-you-know",
    "ads",
  ]);
  await expect(
    page.getByRole("region", { name: "Featured News" }).getByRole("article"),
  ).toHaveCount(3);
  await expect(
    page.getByRole("region", { name: "Community Highlights" }).getByRole("article"),
  ).toHaveCount(2);
});

test("the hero is 350, 450 or 500 px high, and its text is on plain sky at every width and text size", async ({
  page,
}) => {
  await page.goto("/", { waitUntil: "load" });
  const hero = page.getByRole("main").locator("section").first();
  for (const [width, height] of [
    [320, 350],
    [390, 350],
    [767, 350],
    [768, 450],
    [1024, 500],
    [1440, 500],
    [1920, 500],
  ] as const) {
    await page.setViewportSize({ width, height: 1500 });
    expect((await hero.boundingBox())?.height, `at ${width} px`).toBe(height);
    for (const textSize of ["200%", ""]) {
      const boxes = await hero.evaluate((element, size) => {
        document.documentElement.style.fontSize = size;
        const heroBox = element.getBoundingClientRect();
        return Array.from(element.querySelectorAll("h1, p, a"), (part) => {
          const range = document.createRange();
          range.selectNodeContents(part);
          const box = (part.matches("a") ? part : range).getBoundingClientRect();
          return {
            text: part.textContent,
            left: box.left,
            right: box.right,
            top: box.top - heroBox.top,
            bottom: box.bottom - heroBox.top,
          };
        });
      }, textSize);
      expect(boxes).toHaveLength(4);
      const drawing = await captureDrawing(hero);
      for (const { text, ...box } of boxes) {
        const label = `"${text}" at ${width} px, text size ${textSize || "100%"}`;
        expect(box.right, label).toBeLessThanOrEqual(width);
        expect(drawing.countChangesBehind(box), label).toBe(0);
      }
    }
  }
  await page.emulateMedia({ media: "print" });
  const [image, headline] = [hero.locator("img"), hero.getByRole("heading")];
  const [above, below] = [await image.boundingBox(), await headline.boundingBox()];
  expect(below?.y, "the dark headline is not printed on the dark image").toBeGreaterThanOrEqual(
    (above?.y ?? 0) + (above?.height ?? 0),
  );
});

test("a news card shows all its parts, and a click anywhere on it opens the story", async ({
  page,
}) => {
  await page.goto("/");
  await waitForHydration(page);
  const card = page.getByRole("region", { name: "Featured News" }).getByRole("article").first();
  await expect(card.getByRole("img")).toHaveAttribute("alt", /.{40}/);
  await expect(card).toContainText("Environment");
  await expect(card).toContainText("November 12, 2026");
  await expect(card.getByRole("heading")).toHaveCSS("-webkit-line-clamp", "2");
  await expect(card.getByText("Mr. Trash Wheel has sat")).toHaveCSS("-webkit-line-clamp", "3");
  await card.click({ position: { x: 20, y: 20 } });
  await expect(page).toHaveURL(/\/news\/trash-wheel$/);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(
    "How a Googly-Eyed Water Wheel Eats the Harbor's Trash",
  );
});

test("the video starts only when the reader presses play, and has captions", async ({ page }) => {
  const requestedPaths: string[] = [];
  page.on("request", (request) => requestedPaths.push(new URL(request.url()).pathname));
  await page.goto("/", { waitUntil: "networkidle" });
  expect(requestedPaths.filter((path) => path.startsWith("/film/"))).toEqual([]);
  const video = page.locator("video");
  await expect(video).toHaveCount(1);
  await expect(video).toHaveAttribute("preload", "none");
  await expect(video).toHaveAttribute("poster", /^\/art\/film-poster\.webp\/\d+\.webp\?v=/);
  await expect(video).not.toHaveAttribute("controls");
  await page.getByRole("link", { name: /^Play the video: / }).focus();
  const before = await video.boundingBox();
  await page.keyboard.press("Enter");
  await expect(video).toHaveAttribute("controls");
  expect(await video.boundingBox()).toEqual(before);
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
});

test("the head of the home page has its title, description, location and structured data", async ({
  page,
}) => {
  await page.goto("/");
  await expect(page).toHaveTitle("Harborline Baltimore: Baltimore news, events and community");
  const origin = "https://baltimore.harborline.example";
  for (const [selector, value] of [
    ['meta[name="description"]', /Independent local news/],
    ['meta[name="keywords"]', /Baltimore news/],
    ['meta[name="robots"]', /^index, follow/],
    ['meta[name="geo.region"]', "US-MD"],
    ['meta[name="geo.placename"]', "Baltimore"],
    ['meta[name="geo.position"]', "39.2904;-76.6122"],
    ['meta[name="ICBM"]', "39.2904, -76.6122"],
    ['meta[property="og:title"]', /Harborline Baltimore/],
    ['meta[property="og:image"]', new RegExp(`^${origin}/art/share\\.png/1200\\.png\\?v=`)],
    ['meta[name="twitter:card"]', "summary_large_image"],
  ] as const) {
    await expect(page.locator(selector)).toHaveAttribute("content", value);
  }
  await expect(page.locator('link[rel="canonical"]')).toHaveAttribute("href", `${origin}/`);
  const data = await readStructuredData(page);
  expect(data).toMatchObject([
    { "@type": "NewsMediaOrganization", name: "Harborline Baltimore", foundingDate: "2023" },
    {
      "@type": "WebSite",
      potentialAction: {
        "@type": "SearchAction",
        target: { urlTemplate: `${origin}/search?q={search_term_string}` },
      },
    },
  ]);
});

test("the first visit loads at most 350 KB in total", async ({ page }) => {
  await page.setViewportSize(phone);
  await page.goto("/", { waitUntil: "networkidle" });
  const bytes = await page.evaluate(() =>
    [
      ...performance.getEntriesByType("navigation"),
      ...performance.getEntriesByType("resource"),
    ].reduce((sum, entry) => sum + ("transferSize" in entry ? Number(entry.transferSize) : 0), 0),
  );
  expect(bytes).toBeGreaterThan(100_000);
  expect(bytes).toBeLessThanOrEqual(350 * 1024);
});

test.describe("the upcoming events", () => {
  const carousel = (page: Page) => page.getByRole("region", { name: "Featured events" });
  const visibleSlides = (page: Page) => carousel(page).locator("li.carousel-slide:not([inert])");
  const dots = (page: Page) => carousel(page).getByRole("button", { name: /^Show event/ });
  const readCurrentSlide = (page: Page) =>
    dots(page).evaluateAll((buttons) =>
      buttons.findIndex((button) => button.ariaCurrent === "true"),
    );

  async function openHome(page: Page, size = desktop) {
    await page.setViewportSize(size);
    await stopClock(page);
    await page.goto("/");
    await waitForHydration(page);
  }

  test("are one per slide on a wide screen, and advance every five seconds in a loop", async ({
    page,
  }) => {
    await openHome(page);
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
  });

  test("show the event whose dot is pressed, for the full five seconds", async ({ page }) => {
    await openHome(page);
    await page.clock.runFor(4_000);
    await dots(page).nth(1).click();
    await page.mouse.move(0, 0);
    expect(await readCurrentSlide(page)).toBe(1);
    await page.clock.runFor(4_000);
    expect(await readCurrentSlide(page)).toBe(1);
    const box = await dots(page).nth(1).boundingBox();
    expect(Math.min(box?.width ?? 0, box?.height ?? 0)).toBeGreaterThanOrEqual(24);
  });

  test("do not advance while paused, hovered or focused", async ({ page }) => {
    await openHome(page);
    await carousel(page).hover();
    await page.clock.runFor(11_000);
    expect(await readCurrentSlide(page)).toBe(0);
    await page.mouse.move(0, 0);
    await page.getByRole("link", { name: "View All Events" }).focus();
    await page.keyboard.press("Tab");
    await expect(carousel(page).getByRole("button", { name: "Pause" })).toBeFocused();
    for (const _dot of [1, 2]) await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
    await expect(visibleSlides(page).getByRole("link", { name: /^Event Details/ })).toBeFocused();
    await page.clock.runFor(11_000);
    expect(await readCurrentSlide(page)).toBe(0);
    await carousel(page).getByRole("button", { name: "Pause" }).focus();
    await page.keyboard.press("Enter");
    await expect(carousel(page).getByRole("button", { name: "Play" })).toBeFocused();
    await page.getByRole("contentinfo").getByLabel("Email address").focus();
    await page.clock.runFor(11_000);
    expect(await readCurrentSlide(page)).toBe(0);
    await carousel(page).getByRole("button", { name: "Play" }).click();
    await page.mouse.move(0, 0);
    await page.clock.runFor(5_000);
    await expect.poll(() => readCurrentSlide(page)).toBe(1);
  });

  test("never advance automatically for readers who prefer reduced motion", async ({ page }) => {
    await page.emulateMedia({ reducedMotion: "reduce" });
    await openHome(page);
    await page.clock.runFor(20_000);
    expect(await readCurrentSlide(page)).toBe(0);
    await carousel(page).getByRole("button", { name: "Play" }).click();
    await page.mouse.move(0, 0);
    await page.clock.runFor(5_000);
    await expect.poll(() => readCurrentSlide(page)).toBe(1);
  });

  test("are a list below 768 px, even after the window is resized", async ({ page }) => {
    await openHome(page, phone);
    await expect(visibleSlides(page)).toHaveCount(2);
    await expect(carousel(page).getByRole("button", { name: /^(Play|Pause|Show)/ })).toHaveCount(0);
    const [first, second] = await visibleSlides(page).all();
    const [above, below] = [await first?.boundingBox(), await second?.boundingBox()];
    expect(below?.y).toBeGreaterThan((above?.y ?? 0) + (above?.height ?? 0) - 1);
    await page.setViewportSize({ width: 768, height: 900 });
    await expect(visibleSlides(page)).toHaveCount(1);
    await page.setViewportSize({ width: 767, height: 900 });
    await expect(visibleSlides(page)).toHaveCount(2);
  });

  test("are a list without JavaScript, at any width", async ({ browser, baseURL }) => {
    const page = await browser.newPage({
      javaScriptEnabled: false,
      viewport: desktop,
      ...(baseURL ? { baseURL } : {}),
    });
    await page.goto("/");
    const cards = page.getByRole("region", { name: "Featured events" }).getByRole("article");
    await expect(cards).toHaveCount(2);
    const boxes = await Promise.all((await cards.all()).map((card) => card.boundingBox()));
    for (const box of boxes)
      expect((box?.x ?? -1) >= 0 && (box?.x ?? 0) + (box?.width ?? 0) <= 1440).toBe(true);
    await expect(page.getByRole("button", { name: "Pause" })).toBeHidden();
    const video = page.locator("video:visible");
    await expect(video).toHaveCount(1);
    await expect(video, "the video has the browser's controls").toHaveAttribute("controls");
    await page.close();
  });
});

const readStructuredData = (page: Page): Promise<unknown[]> =>
  page
    .locator('script[type="application/ld+json"]')
    .evaluateAll((scripts) => scripts.map((script) => JSON.parse(script.textContent ?? "")));

/** Takes a screenshot of the hero without its text. */
async function captureDrawing(hero: Locator) {
  const text = hero.locator("div").first();
  await text.evaluate((element) => element.style.setProperty("visibility", "hidden"));
  const { data, info } = await sharp(await hero.screenshot())
    .greyscale()
    .raw()
    .toBuffer({ resolveWithObject: true });
  await text.evaluate((element) => element.style.removeProperty("visibility"));
  const margin = 12;
  return {
    /**
     * Counts the pixels behind and around a box that differ from their left neighbor. Plain sky has
     * none.
     */
    countChangesBehind(box: { left: number; right: number; top: number; bottom: number }) {
      const right = Math.min(info.width, Math.ceil(box.right + margin));
      const bottom = Math.min(info.height, Math.ceil(box.bottom + margin));
      let changes = 0;
      for (let y = Math.max(0, Math.floor(box.top - margin)); y < bottom; y += 1) {
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
