import { join } from "node:path";
import { test as baseTest, type Locator, type Page } from "@playwright/test";
import sharp from "sharp";
import { calendarDay } from "../../app/lib/dates.ts";
import type { TestCity } from "../support/city.ts";
import { startLiveCity } from "../support/live-city.ts";
import { createAxe, desktop, expect, phone, test, waitForHydration } from "./support.ts";
import { openWithWebFonts } from "./web-fonts.ts";

/**
 * Counts the titles of headlines, stories, posts and events whose first line is on the screen. Where
 * the other lines end depends on a few pixels.
 */
const countVisibleTitles = (page: Page) =>
  page.locator("main article :is(h2, h3)").evaluateAll(
    (titles) =>
      titles.filter((title) => {
        const { width, top } = title.getBoundingClientRect();
        const lineHeight = Number.parseFloat(getComputedStyle(title).lineHeight);
        return width > 0 && top >= 0 && top + lineHeight <= innerHeight;
      }).length,
  );

const strip = (page: Page) => page.getByRole("region", { name: /^Today in Baltimore: / });

/** Returns whether these elements follow each other from top to bottom. */
async function areInOrder(...elements: Locator[]): Promise<boolean> {
  const boxes = await Promise.all(elements.map((element) => element.boundingBox()));
  return boxes.every((box, index) => index === 0 || (box?.y ?? 0) > (boxes[index - 1]?.y ?? 0));
}

baseTest.describe("with live headlines", () => {
  // One city for all of these tests, which run one after the other.
  baseTest.describe.configure({ mode: "default" });
  let city: TestCity;
  baseTest.beforeAll(async () => {
    city = await startLiveCity();
  });
  baseTest.afterAll(async () => {
    await city.close();
  });

  baseTest(
    "the front page begins with today: the date, the newest of five local headlines in large type, events and the radio",
    async ({ page, request }) => {
      const html = await (await request.get(city.server.url)).text();
      expect(html, "the server sends times, not ages").not.toMatch(/ (min|hr) ago</);
      await page.setViewportSize(phone);
      await page.goto(city.server.url);
      await expect(strip(page).getByRole("heading", { level: 2 })).toContainText(
        /[A-Z][a-z]+day, [A-Z][a-z]+ \d+, \d{4}$/,
      );
      await expect(strip(page)).toContainText(/Updated \d+:\d\d [AP]M/);
      const headlines = strip(page).locator("article", { has: page.locator('[target="_blank"]') });
      await expect(headlines).toHaveCount(5);
      await expect(headlines.first().locator("time")).toHaveText(/^[1-5]\d min ago$/);
      await expect(headlines.first().locator("time")).toHaveAttribute("datetime", /^\d{4}-.*Z$/);
      const sources = await headlines.locator(".feed-row-name").allTextContents();
      for (const source of sources)
        expect(sources.filter((other) => other === source).length).toBeLessThanOrEqual(2);
      const firstBox = await headlines.first().boundingBox();
      expect(firstBox?.y, "the first headline is early on a phone").toBeLessThan(520);
      await expect(strip(page).getByRole("link", { name: "On air now" })).toHaveAttribute(
        "href",
        "/radio",
      );
      await expect(strip(page).getByRole("heading", { level: 3 })).toHaveText([
        /^What Baltimore will remember of this week/,
        "Local headlines",
        "Still to come today",
        "On air now",
      ]);
      const [lead, second] = await headlines
        .getByRole("heading")
        .evaluateAll((titles) =>
          titles.map((title) => Number.parseFloat(getComputedStyle(title).fontSize)),
        );
      expect(lead).toBeGreaterThan((second ?? 0) * 1.5);
      // Samples are never the news of today.
      await expect(strip(page).getByRole("img")).toHaveCount(0);
    },
  );

  baseTest(
    "/news and the sections show ten titles on the first screen, and five on a phone's",
    async ({ page }) => {
      for (const path of ["/news", "/local", "/politics", "/sports"]) {
        await openWithWebFonts(page, city.server.url + path);
        await page.setViewportSize(desktop);
        expect(await countVisibleTitles(page), `${path} at 1440 px`).toBeGreaterThanOrEqual(10);
        if (path === "/news" || path === "/local") {
          const lead = await page.locator(".newsroom-lead img").boundingBox();
          expect(lead?.width, `${path} has a large image`).toBeGreaterThanOrEqual(600);
          const text = await page.locator(".newsroom-lead .story-text").boundingBox();
          expect(text?.width, `${path} has a wide text beside it`).toBeGreaterThan(320);
          await expect(page.locator(".newsroom-titles img:visible")).toHaveCount(2);
        }
        await page.setViewportSize(phone);
        expect(await countVisibleTitles(page), `${path} at 390 px`).toBeGreaterThanOrEqual(5);
        if (path === "/news")
          await expect(page.locator(".newsroom-titles > li:visible")).toHaveCount(4);
      }
    },
  );

  baseTest("/news has a block per section, and ads only after the first row", async ({ page }) => {
    await page.setViewportSize(desktop);
    await page.goto(`${city.server.url}/news`);
    const blocks = page.locator(".title-block");
    await expect(blocks.getByRole("heading", { level: 2 })).toHaveText([
      "Local",
      "Politics",
      "Business",
      "Sports",
      "Culture",
      "Events",
    ]);
    for (const block of await blocks.all()) {
      await expect(block.getByRole("article")).toHaveCount(3);
    }
    const links = await blocks
      .locator("h2 a")
      .evaluateAll((all) => all.map((link) => link.getAttribute("href")));
    expect(links).toEqual(["/local", "/politics", "/business", "/sports", "/culture", "/events"]);
    const rows = page.locator(".title-blocks");
    const ads = page.locator(".ad-row");
    const parts = [rows.first(), ads.first(), rows.last(), page.locator("#news"), ads.last()];
    expect(await areInOrder(page.locator("#newsroom"), ...parts)).toBe(true);
    expect((await page.locator("#news-list").boundingBox())?.height).toBe(400);
    // One grid of columns for the whole page.
    const thirds = [blocks.nth(2), blocks.nth(5), page.locator(".ad-slot").nth(2)];
    const column = page.locator(".ad-column");
    for (const third of thirds)
      expect((await third.boundingBox())?.x).toBe((await column.boundingBox())?.x);
    // The first rows of the merged feed are not the same as those of the block above it.
    const local = await blocks.first().getByRole("heading", { level: 3 }).allTextContents();
    const merged = await page.locator("#news-list h3").allTextContents();
    expect(merged.filter((title) => local.includes(title))).toEqual([]);
  });

  baseTest(
    "a section has our posts and coming events next to its first feed, and below its feeds on a phone",
    async ({ page }) => {
      await page.setViewportSize(desktop);
      await page.goto(`${city.server.url}/sports`);
      const column = page.locator(".section-column");
      await expect(column.getByRole("heading", { level: 2 })).toHaveText([
        "Sports on our blog",
        "Events in Baltimore",
        "About these headlines",
      ]);
      await expect(column.getByRole("article")).toHaveCount(6);
      const [feed, beside] = [
        await page.locator("#baseball").boundingBox(),
        await column.boundingBox(),
      ];
      expect(beside?.y).toBe(feed?.y);
      expect(beside?.x).toBeGreaterThan((feed?.x ?? 0) + (feed?.width ?? 0));
      await page.setViewportSize(phone);
      const order = ["#baseball", ".ad-row", "#soccer", "#hockey", ".section-column"];
      expect(await areInOrder(...order.map((selector) => page.locator(selector)))).toBe(true);
      // A section without posts of its own has the newest posts.
      await page.goto(`${city.server.url}/world`);
      await expect(column.getByRole("heading", { name: "New on our blog" })).toBeVisible();
    },
  );

  baseTest(
    "nothing moves when all times become ages, which are never cut off",
    async ({ page }) => {
      for (const width of [390, 820, 1440]) {
        await page.setViewportSize({ width, height: 900 });
        await page.addInitScript(() => {
          new PerformanceObserver((list) => {
            for (const entry of list.getEntries())
              Object.assign(window, { shifts: [...(Reflect.get(window, "shifts") ?? []), entry] });
          }).observe({ type: "layout-shift", buffered: true });
        });
        await page.goto(`${city.server.url}/news`);
        await waitForHydration(page);
        const times = page.locator(".feed-row time");
        await expect(times.first()).toHaveText(/ ago$/);
        await expect(times.filter({ hasNotText: / ago$/ })).toHaveCount(0);
        const shifts = await page.evaluate((): { value: number }[] =>
          (Reflect.get(window, "shifts") ?? []).map(({ value }: { value: number }) => ({ value })),
        );
        // Not zero, because our fonts may arrive late on a busy machine.
        const sum = shifts.reduce((total, { value }) => total + value, 0);
        expect(sum, `${width} px`).toBeLessThan(0.005);
        const facts = page.locator(".feed-row-brief .feed-row-source");
        // As if every newsroom had a paywall: which of them are shown is not the same in every run.
        const cutCount = await facts.evaluateAll(
          (lines) =>
            lines.filter((line) => {
              if (!line.querySelector(".feed-row-paywall")) {
                const mark = document.createElement("span");
                mark.className = "feed-row-paywall";
                mark.textContent = "\u00a0·\u00a0Subscription";
                line.append(mark);
              }
              return line.scrollWidth > line.clientWidth;
            }).length,
        );
        expect(cutCount, `${width} px`).toBe(0);
      }
    },
  );

  baseTest(
    "the front page leads with our story of today, its photo and who else reports it, and shows no image twice",
    async ({ page, request }) => {
      const title = "What Baltimore Will Remember of This Week";
      const day = calendarDay(new Date(), "America/New_York");
      const photo = { width: 1_600, height: 1_000, channels: 3, background: "navy" } as const;
      await sharp({ create: photo }).jpeg().toFile(join(city.siteFolder, "art/pier.jpg"));
      const image = "image: { file: pier.jpg, alt: A pier at night }";
      const writeFront = (storyTitle: string) =>
        `---\ntitle: ${storyTitle}\nexcerpt: The number 0 and others.\ncategory: Local\ndate: ${day}\n${image}\n`;
      await city.save("news/week.md", `${writeFront(title)}pinned: true\n---\nText.\n`);
      await city.save("news/other.md", `${writeFront("Another Pier")}---\nText.\n`);
      await city.save(
        "events/pier-walk.md",
        `---\ntitle: Pier Walk\nexcerpt: Come along.\ncategory: Outdoors\nlocation: The pier\nstarts: { inDays: 1, at: "9:00" }\nends: { inDays: 1, at: "10:00" }\n${image}\n---\nText.\n`,
      );
      const read = async () => (await request.get(city.server.url)).text();
      for (const text of [title, "Another Pier", "Pier Walk"])
        await expect.poll(read).toContain(text);

      await page.setViewportSize(desktop);
      await page.goto(city.server.url);
      await waitForHydration(page);
      const lead = strip(page).locator(".today-lead");
      await expect(lead.getByRole("heading", { level: 3 })).toHaveText(title);
      const photoInLead = lead.getByRole("img");
      await expect(photoInLead).toHaveAttribute("fetchpriority", "high");
      await expect(photoInLead).not.toHaveAttribute("loading");
      await expect(photoInLead).toHaveAttribute("srcset", / 480w, .* 1600w$/);
      const width = (await photoInLead.boundingBox())?.width ?? 0;
      expect(width).toBeGreaterThan(560);
      expect((await page.locator("video:visible").boundingBox())?.width).toBeLessThan(width);
      // Each newsroom once, with a link to its article, and not with a headline beside our story.
      await expect(lead).toContainText(/Also reported by [A-Z].*, [A-Z]/);
      const names = await lead.locator('[target="_blank"]').allTextContents();
      expect(new Set(names).size).toBe(names.length);
      await expect(lead.locator('[target="_blank"]').first()).toHaveAttribute("href", /^http/);
      await expect(strip(page).getByRole("heading", { level: 4 })).not.toContainText([/number 0 /]);
      await expect(page.getByRole("main").getByText(title, { exact: true })).toHaveCount(1);

      const files = await page
        .locator("main :is(img, video:visible)")
        .evaluateAll((all) =>
          all.map((image) =>
            (image.getAttribute("src") ?? image.getAttribute("poster"))
              ?.replace(/\?.*/, "")
              .replace(/\/\d+\.\w+$/, ""),
          ),
        );
      expect(files).toContain("/art/pier.jpg");
      expect(files.length).toBeGreaterThan(8);
      expect(new Set(files).size).toBe(files.length);

      await page.setViewportSize(phone);
      const [headingBox, photoBox] = [
        await lead.getByRole("heading").boundingBox(),
        await photoInLead.boundingBox(),
      ];
      expect(headingBox?.y, "the title is early on a phone").toBeLessThan(520);
      expect(photoBox?.y, "its photo begins on the first screen").toBeLessThan(phone.height);
    },
  );
});

test("without live headlines, the front page and /news have signed good-to-know items without a time", async ({
  page,
}) => {
  await page.goto("/");
  await waitForHydration(page);
  await expect(strip(page).getByText("Good to know", { exact: true })).toHaveCount(1);
  await expect(strip(page).getByRole("link", { name: "More good to know" })).toBeVisible();
  const items = strip(page).locator("article", { has: page.locator(".feed-row-source") });
  await expect(items.locator(".feed-row-source")).toHaveText(Array(5).fill(/^Harborline( · |$)/));
  await expect(items.locator("time")).toHaveCount(0);
  // The first item is the lead.
  await expect(strip(page).getByRole("heading", { level: 3 }).first()).toHaveText(
    (await items.first().getByRole("heading").textContent()) ?? "",
  );
  expect((await createAxe(page).include("[aria-labelledby=today]").analyze()).violations).toEqual(
    [],
  );
  await page.goto("/news");
  const blocks = page.locator(".title-block", { hasText: "Good to know" });
  await expect(blocks).toHaveCount(5);
  const titles = await page.locator(".title-block .feed-row-title").allTextContents();
  expect(new Set(titles).size).toBe(5);
  const below = await page.locator("#news-list .feed-row-title").allTextContents();
  expect(below.filter((title) => titles.includes(title))).toEqual([]);
});
