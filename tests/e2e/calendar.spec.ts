import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type AxeBuilder from "@axe-core/playwright";
import type { Locator } from "@playwright/test";
import { dailyBriefs } from "../../app/features/brief/schema.server.ts";
import { openDatabase } from "../../db/client.ts";
import { startCity } from "../support/city.ts";
import { runInServer } from "../support/newsroom.ts";
import { shareCity } from "./own-city.ts";
import { createAxe, desktop, expect, phone, test, waitForHydration } from "./support.ts";
import { openWithWebFonts } from "./web-fonts.ts";

/** Stores the brief of two days before the server's date. */
async function insertEarlierBrief(dataDir: string): Promise<void> {
  const database = await openDatabase({ dataDir, onError: console.error });
  await database.db.delete(dailyBriefs);
  const madeAt = new Date("2026-11-13T12:00:00Z");
  await database.db.insert(dailyBriefs).values({
    day: "2026-11-13",
    hasNews: true,
    createdAt: madeAt,
    updatedAt: madeAt,
    content: {
      headlines: [
        {
          title: "A bridge reopens",
          link: "https://news.example/bridge",
          source: "The Example",
          summary: "Cars may cross again.",
          time: { iso: "2026-11-13T10:00:00.000Z", shown: "5:00 AM" },
          paywall: true,
        },
      ],
      goodToKnow: [],
      areEventsToday: true,
      events: [],
      meetings: [],
      stories: ["marble-steps"],
      fact: { text: "Crabs walk sideways.", link: null },
      removedLinks: [],
      isRemoved: false,
    },
  });
  await database.close();
}

// The server has a fixed date, because sample events are always some days from today.
const getCity = shareCity(test, async () => {
  const city = await startCity(
    // The server does not send a newsletter that contains only samples, so one story is not a
    // sample.
    { "news/public-markets.md": (source) => source.replace("sample: true\n", "") },
    { FAKE_NOW: "2026-11-15T15:00:00Z" },
    {},
    insertEarlierBrief,
  );
  // The server makes the brief of today a moment after it has started.
  await city.server.waitForOutput("brief.made");
  return city;
});

test.describe("the events", () => {
  test("on a phone the filters scroll in two rows and the wall is part of the page, and on a wide screen it is taller than wide and scrolls with the keyboard", async ({
    page,
  }) => {
    await page.setViewportSize(phone);
    await openWithWebFonts(page, "/events?category=family");
    await waitForHydration(page);
    const filters = page.getByRole("navigation", { name: "Filter events" });
    const rows = await filters.getByRole("list").all();
    expect(rows).toHaveLength(2);
    for (const row of rows) expect((await row.boundingBox())?.height).toBeLessThan(64);
    // The other filters are in panels, which Escape closes.
    const button = filters.getByRole("button", { name: "Category: Family" });
    await expect(button).toBeInViewport({ ratio: 1 });
    await button.focus();
    await page.keyboard.press("Enter");
    await expect(filters.getByRole("link", { name: "Family" })).toHaveAttribute(
      "aria-current",
      "true",
    );
    await page.keyboard.press("Escape");
    await expect(filters.getByRole("link", { name: "Family" })).toBeHidden();
    await expect(button).toBeFocused();
    await page.getByRole("button", { name: "Neighborhood" }).click();
    await page.getByRole("link", { name: "Hampden 1" }).click();
    await expect(page).toHaveURL("/events?place=hampden&category=family");

    await openWithWebFonts(page, "/events");
    const wall = page.getByRole("region", { name: "Events", exact: true });
    const firstEvent = wall.getByRole("article").first();
    const firstBox = await firstEvent.boundingBox();
    // The bars of a browser leave about 660 px of a phone's screen for the page.
    expect((firstBox?.y ?? 0) + (firstBox?.height ?? 0)).toBeLessThan(600);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(phone.width);
    expect(await wall.getByRole("article").count()).toBeGreaterThanOrEqual(8);
    await expect(wall).toHaveCSS("overflow-y", "visible");
    // At twice the text size, no word of the heading is broken, also on a small phone.
    await page.setViewportSize({ width: 320, height: 700 });
    await page.evaluate(() => {
      document.documentElement.style.fontSize = "200%";
    });
    const brokenWords = await page.getByRole("heading", { level: 1 }).evaluate((heading) => {
      const text = heading.firstChild ?? heading;
      const range = document.createRange();
      return [...(text.textContent ?? "").matchAll(/\S+/g)]
        .filter(({ 0: word, index }) => {
          range.setStart(text, index);
          range.setEnd(text, index + word.length);
          return range.getClientRects().length > 1;
        })
        .map(([word]) => word);
    });
    expect(brokenWords).toEqual([]);
    await page.evaluate(() => {
      document.documentElement.style.fontSize = "";
    });
    await page.setViewportSize({ width: 768, height: 1024 });
    await expect(wall).toHaveCSS("overflow-y", "auto");
    await page.setViewportSize(desktop);
    const box = await wall.boundingBox();
    expect((box?.height ?? 0) / (box?.width ?? 1)).toBeCloseTo(16 / 9, 1);
    await waitForHydration(page);
    await wall.focus();
    const isAtEnd = () =>
      wall.evaluate(
        (box) => box.scrollTop > 500 && box.scrollTop + box.clientHeight > box.scrollHeight - 2,
      );
    // On a busy machine Chromium drops a key press between two layouts, so the test presses it again.
    await expect
      .poll(async () => {
        if (!(await isAtEnd())) await page.keyboard.press("End");
        return isAtEnd();
      })
      .toBe(true);
    const position = await wall.evaluate((box) => box.scrollTop);
    await wall.getByRole("link").last().click();
    await expect(page).toHaveURL(/\/events\/./);
    await expect(page.getByRole("main").getByRole("button", { name: "Copy link" })).toBeVisible();
    await page.context().grantPermissions(["clipboard-write", "clipboard-read"]);
    const readPageHeight = () => page.evaluate(() => document.documentElement.scrollHeight);
    const heightBefore = await readPageHeight();
    await page.getByRole("main").getByRole("button", { name: "Copy link" }).click();
    await expect(page.getByRole("main").getByText("Link copied.")).toBeVisible();
    expect(await readPageHeight()).toBe(heightBefore);
    await page.goBack();
    await expect.poll(() => wall.evaluate((box) => box.scrollTop)).toBe(position);
  });

  test("filters are links that can be combined, and an empty wall says so", async ({ page }) => {
    await page.setViewportSize(phone);
    await page.goto("/events");
    await waitForHydration(page);
    const filters = page.getByRole("navigation", { name: "Filter events" });
    const wall = page.getByRole("region", { name: "Events", exact: true });
    const categories = filters.getByRole("button", { name: "Category" });
    await categories.click();
    await filters.getByRole("link", { name: "Family 2" }).click();
    await expect(page).toHaveURL("/events?category=family");
    await expect(categories).toBeFocused();
    await expect(categories).toHaveText(/^Category: Family/);
    await expect(page).toHaveTitle("Events: Family | Harborline Baltimore");
    await expect(wall.getByRole("article")).toHaveCount(2);
    await expect(wall.getByRole("article").getByText("Sample", { exact: true })).toHaveCount(2);
    // A wall with few events is only as high as they are.
    await page.setViewportSize(desktop);
    const box = await wall.boundingBox();
    expect(box?.height).toBeLessThan(box?.width ?? 0);
    await page.setViewportSize(phone);
    await filters.getByRole("link", { name: "Free" }).click();
    await expect(page).toHaveURL("/events?free=1&category=family");
    await expect(page).toHaveTitle("Free events: Family | Harborline Baltimore");
    await expect(wall.getByRole("heading", { level: 3 })).toHaveText([
      "Story Time on the Round Rug",
    ]);
    await page.getByRole("button", { name: "Follow Free events: Family" }).click();
    await expect(page.getByRole("link", { name: "Calendar file (.ics)" })).toHaveAttribute(
      "href",
      "/events.ics?free=1&category=family",
    );
    await page.keyboard.press("Escape");
    await filters.getByRole("link", { name: "Today" }).click();
    await expect(page).toHaveTitle("Free events today: Family | Harborline Baltimore");
    await expect(wall).toContainText("No events found");
    const offered = page.locator("#events-categories").getByRole("link");
    await categories.click();
    await expect(offered.first()).toHaveText("All categories");
    await expect(offered.filter({ hasText: /0$/ }), "the chosen one").toHaveText(/^Family/);
    await page.keyboard.press("Escape");
    expect((await wall.boundingBox())?.height).toBeLessThan(400);

    // Loading the same URL directly gives the same page.
    const readMainText = () => page.getByRole("main").textContent();
    const textAfterClicks = await readMainText();
    await page.reload();
    await expect(page).toHaveTitle("Free events today: Family | Harborline Baltimore");
    expect(await readMainText()).toBe(textAfterClicks);
    await expect(page.locator('link[rel="canonical"]')).toHaveAttribute("href", /\/events$/);

    await page.emulateMedia({ forcedColors: "active" });
    await categories.click();
    const readColor = (name: string) =>
      filters
        .getByRole("link", { name })
        .evaluate((pill) => getComputedStyle(pill).backgroundColor);
    expect(await readColor("Family")).not.toBe(await readColor("All categories"));
    await page.emulateMedia({ forcedColors: "none" });

    await waitForHydration(page);
    await page.keyboard.press("Escape");
    await wall.getByRole("link", { name: "See all events" }).click();
    await expect(page).toHaveURL("/events");
    await expect(page).toHaveTitle("Events in Baltimore | Harborline Baltimore");
    await expect(filters.getByRole("link", { name: "All dates" })).toHaveAttribute(
      "aria-current",
      "true",
    );
  });

  for (const width of [1024, 1440])
    test(`beside the wall, a screen of ${width} px shows what is on soon and where, at the same height`, async ({
      page,
      browser,
      baseURL,
    }) => {
      await page.setViewportSize({ width, height: 900 });
      await openWithWebFonts(page, "/events");
      const main = page.getByRole("main");
      const wall = main.getByRole("region", { name: "Events", exact: true });
      const box = await wall.boundingBox();
      const readBottom = async (locator: Locator) => {
        const { y, height } = (await locator.boundingBox()) ?? { y: 0, height: 0 };
        return y + height;
      };
      const history = main.getByRole("region", { name: "The city behind the dates" });
      const difference = (await readBottom(history)) - (await readBottom(wall));
      expect(Math.abs(difference)).toBeLessThan(8);
      const pageWidth = (await main.locator(".page").first().boundingBox())?.width ?? 0;
      expect((box?.width ?? 0) / pageWidth).toBeGreaterThan(0.5);
      expect((box?.height ?? 0) / (box?.width ?? 1)).toBeCloseTo(16 / 9, 1);
      expect(
        (await main.getByRole("navigation", { name: "Filter events" }).boundingBox())?.height,
      ).toBeLessThan(64);

      // The server's date is a Sunday without further events in the day.
      await expect(main.getByRole("heading", { level: 2, name: "Coming up" })).toBeVisible();
      await expect(main.getByRole("link", { name: "Tonight" })).toHaveAttribute(
        "href",
        "/events?when=today",
      );
      const story = wall.getByRole("article").filter({ hasText: "Story Time" });
      await expect(story).toContainText("Every Monday");
      await expect(story).toContainText("Hampden · Free");
      await expect(wall.getByRole("article").filter({ hasText: "Two Left Feet" })).toContainText(
        "$10, or what you can",
      );
      // A day's heading says the date, so an event without an image has no tile with it.
      await expect(wall.locator(".date-tile")).toHaveCount(0);

      const noScriptPage = await (
        await browser.newContext({
          javaScriptEnabled: false,
          baseURL,
          viewport: { width, height: 900 },
        })
      ).newPage();
      await noScriptPage.goto("/events");
      const places = noScriptPage.getByRole("navigation", { name: "Neighborhoods" });
      const name = await places.getByRole("link").nth(1).textContent();
      const [, count] = /^\D+(\d+)$/.exec(name ?? "") ?? [];
      await places.getByRole("link").nth(1).click();
      await expect(noScriptPage).toHaveURL(/\/events\?place=/);
      await expect(
        noScriptPage.getByRole("region", { name: "Events", exact: true }).getByRole("article"),
      ).toHaveCount(Number(count));
      await noScriptPage.getByRole("button", { name: "Category" }).click();
      await expect(noScriptPage.getByRole("link", { name: "All categories" })).toBeVisible();
      await noScriptPage.context().close();
    });

  test("the low-data edition has all filters, and the neighborhoods once", async ({ page }) => {
    await page.goto("/events?edition=light");
    const main = page.getByRole("main");
    await expect(main.getByRole("link", { name: "Hampden 1" })).toBeVisible();
    await expect(main.getByRole("link", { name: "Family 2" })).toBeVisible();
    await expect(main.getByRole("link", { name: "Tonight" })).toHaveCount(0);
  });

  test("the month view is a table, and a date opens its day", async ({ page }) => {
    await page.setViewportSize(desktop);
    await page.goto("/events");
    await waitForHydration(page);
    await page.getByRole("link", { name: "Month view" }).click();
    await page.getByRole("link", { name: "Next month" }).click();
    const table = page.getByRole("table");
    await expect(table.locator("[aria-current=date]")).toHaveCount(0);
    await expect(table.getByRole("columnheader")).toHaveCount(7);
    await expect(table.getByRole("columnheader").first()).toHaveAccessibleName("Sunday");
    // The neighborhoods, the form for events, and the history of the city.
    await expect(page.getByRole("main").getByRole("region")).toHaveCount(3);
    await page.getByRole("link", { name: "Previous month" }).click();
    await expect(table.locator("[aria-current=date]")).toHaveCount(1);

    await page.setViewportSize({ width: 320, height: 640 });
    for (const heading of await table.getByRole("columnheader").all())
      expect(
        await heading.evaluate((cell) => cell.scrollWidth - cell.clientWidth),
      ).toBeLessThanOrEqual(0);
    const lastDay = table.getByRole("link", { name: /: \d+ events?$/ }).last();
    const name = (await lastDay.getAttribute("aria-label")) ?? "";
    const [, heading = "", count = ""] = /^(\w+, \w+ \d+): (\d+) events?$/.exec(name) ?? [];
    await lastDay.click();
    await expect(page).toHaveURL(/\/events\?day=/);
    await expect(page).toHaveTitle(
      new RegExp(`^Events on ${heading}, \\d{4} \\| Harborline Baltimore$`),
    );
    await expect(page.getByRole("heading", { level: 1 })).toContainText(`Events on ${heading}`);
    await expect(page.getByRole("heading", { level: 1 })).toBeFocused();
    await expect(
      page.getByRole("region", { name: "Events", exact: true }).getByRole("article"),
    ).toHaveCount(Number(count));
    await page.goBack();
    await expect(table).toBeVisible();
  });
});

test("a reader opens the brief from the footer, reads an earlier day, and comes back", async ({
  page,
}) => {
  await page.setViewportSize(phone);
  await page.goto("/");
  await expect(page.getByRole("link", { name: "Two minutes: today’s brief" })).toHaveAttribute(
    "href",
    "/brief",
  );
  await page.goto("/about");
  await waitForHydration(page);
  const footer = page.getByRole("contentinfo");
  await footer.getByText("More", { exact: true }).click();
  await footer.getByRole("link", { name: "Daily brief" }).click();
  const main = page.getByRole("main");
  await expect(page.getByRole("heading", { level: 1, name: "The Daily Brief" })).toBeVisible();
  await expect(main).toContainText("Baltimore in two minutes, every morning at seven.");
  await expect(main).toContainText("Sunday, November 15, 2026");
  await expect(main.getByRole("heading", { level: 2 })).toHaveText([
    "Good to know",
    "Events today",
    "From our newsroom",
    "Did you know?",
    "On air",
  ]);

  await main.getByRole("link", { name: "All briefs" }).click();
  await expect(page.getByRole("heading", { level: 1, name: /earlier days/ })).toBeVisible();
  await expect(main).toContainText("Baltimore in two minutes, every morning at seven.");
  await main.getByRole("link", { name: "Friday, November 13, 2026", exact: true }).click();
  await expect(page).toHaveURL(/\/brief\/2026-11-13$/);
  const headline = main.getByRole("listitem").filter({ hasText: "A bridge reopens" });
  await expect(headline).toContainText("The Example · 5:00 AM · Subscription");
  await expect(headline.getByRole("link")).toHaveAttribute("href", "https://news.example/bridge");
  expect((await createAxe(page).include("main").analyze()).violations).toEqual([]);
  await page.goBack();
  await expect(main.getByRole("heading", { name: "November 2026" })).toBeVisible();
  await page.goForward();
  await main.getByRole("link", { name: "Later brief" }).click();
  await expect(page).toHaveURL(/\/brief\/2026-11-15$/);

  // On paper there is only the brief itself, with its URL.
  await page.emulateMedia({ media: "print" });
  await expect(page.getByRole("contentinfo")).toBeHidden();
  await expect(main.getByText("All briefs")).toBeHidden();
  await expect(
    main.getByText("https://baltimore.harborline.example/brief/2026-11-15"),
  ).toBeVisible();
});

const reader = "newsletter-reader@example.com";

/** Finds the link to a page in the emails to our reader that are in the outbox. */
async function findMailedLink(page: string): Promise<string | null> {
  const folder = join(getCity().dataDir, "outbox");
  const names = await readdir(folder).catch(() => []);
  const mails = await Promise.all(
    names
      .filter((name) => name.endsWith(".eml"))
      .map((name) => readFile(join(folder, name), "utf8")),
  );
  const readerMails = mails.filter((mail) => mail.includes(`To: ${reader}`)).join("\n");
  const text = readerMails.replaceAll("=\r\n", "").replaceAll("=3D", "=");
  return new RegExp(`https://[^/]+(/newsletter/${page}\\?token=[\\w.-]+)`).exec(text)?.[1] ?? null;
}

async function waitForLink(page: string): Promise<string> {
  await expect.poll(() => findMailedLink(page)).not.toBeNull();
  return (await findMailedLink(page)) ?? "";
}

const findViolations = async (axe: AxeBuilder) =>
  (await axe.analyze()).violations.map(({ id }) => id);

test("a reader sees the brief on the newsletter's page, subscribes below a blog post, confirms without JavaScript, gets the newsletter and unsubscribes", async ({
  page,
  browser,
  baseURL,
}) => {
  await page.setViewportSize(phone);
  await page.goto("/newsletter");
  const newsletterPage = page.getByRole("main");
  await expect(newsletterPage.getByRole("heading", { level: 2 }).first()).toHaveText(
    "The Daily Brief, Sunday, November 15, 2026",
  );
  await expect(newsletterPage.getByLabel("Email address")).not.toBeInViewport();
  await newsletterPage.getByRole("link", { name: "Subscribe" }).click();
  await expect(newsletterPage.getByLabel("Email address")).toBeInViewport();

  const noScriptPage = await (
    await browser.newContext({ javaScriptEnabled: false, baseURL, viewport: phone })
  ).newPage();
  // A refused address comes first, and not the brief.
  for (const each of [page, noScriptPage]) {
    await each.goto("/about");
    if (each === page) await waitForHydration(page);
    const footer = each.getByRole("contentinfo");
    await footer.getByLabel("Email address").fill("reader@harbor");
    await footer.getByRole("button", { name: "Subscribe" }).click();
    await expect(each.getByText("Please enter a complete email address")).toBeInViewport();
    const field = each.getByRole("main").getByLabel("Email address");
    await expect(field).toHaveValue("reader@harbor");
    await expect(field).toBeFocused();
  }
  await noScriptPage.goto("/blog/film-your-street-with-a-phone");
  const main = noScriptPage.getByRole("main");
  await main.getByLabel("Email address").fill(reader);
  await main.getByRole("button", { name: "Subscribe" }).click();
  await expect(main.getByRole("status")).toContainText("a confirmation is pending");

  const confirmPath = await waitForLink("confirm");
  await page.goto(confirmPath);
  await waitForHydration(page);
  await expect(page.getByRole("button", { name: "Yes, subscribe me" })).toBeVisible();
  expect(await findViolations(createAxe(page).include("main"))).toEqual([]);
  await noScriptPage.goto(confirmPath);
  await noScriptPage.getByRole("button", { name: "Yes, subscribe me" }).click();
  await expect(main.getByRole("status")).toContainText("You are subscribed");
  // The other window still shows the button. A click on it shows that the link was already used.
  await page.getByRole("button", { name: "Yes, subscribe me" }).click();
  await expect(
    page
      .getByRole("main")
      .getByRole("status")
      .filter({ hasText: "You have already used this link" }),
  ).toBeFocused();

  expect((await runInServer(getCity().dataDir, ["newsletter", "send", "--yes"])).code).toBe(0);
  // Other readers see the issue before they subscribe, without our reader's link.
  await noScriptPage.goto("/newsletter");
  const issue = main.getByRole("region", { name: /^The week in Baltimore, / });
  await expect(issue.getByRole("link").first()).toBeVisible();
  expect(await noScriptPage.content()).not.toMatch(/unsubscribe\?token|newsletter-reader@/);
  await page.goto(await waitForLink("unsubscribe"));
  await waitForHydration(page);
  await page.getByRole("button", { name: "Unsubscribe" }).click();
  await expect(
    page.getByRole("main").getByRole("status").filter({ hasText: "your email address is deleted" }),
  ).toBeFocused();
  expect(await findViolations(createAxe(page).include("main"))).toEqual([]);
  await noScriptPage.goto(confirmPath);
  await expect(noScriptPage.getByRole("main")).toContainText("We do not recognize this link");
  await noScriptPage.context().close();
});
