import { readdirSync } from "node:fs";
import { startCity } from "../support/city.ts";
import { createAxe, desktop, expect, phone, test, waitForHydration } from "./support.ts";

const listIds = (folder: string) =>
  readdirSync(`sites/baltimore/${folder}`).map((name) => name.replace(/\.md$/, ""));

const widths = [320, 360, 390, 640, 768, 820, 1024, 1152, 1280, 1440, 1920];

test("each of the eight sample stories is a full page with its own image, and says that it is a sample", async ({
  page,
}) => {
  const images = new Set<string | null>();
  for (const id of listIds("news")) {
    await page.goto(`/news/${id}`);
    const story = page.getByRole("main").locator("article").first();
    const wordCount = ((await story.locator(".prose").textContent()) ?? "").split(/\s+/).length;
    expect(wordCount, id).toBeGreaterThanOrEqual(290);
    expect(wordCount, id).toBeLessThanOrEqual(600);
    await expect(story.locator("header"), id).toContainText("This is a sample story.");
    await expect(page.getByRole("heading", { name: /^More (from|stories)/ })).toBeVisible();
    images.add(await story.locator("img").first().getAttribute("src"));
    // A sample is not news, so search engines must not index it.
    await expect(page.locator('meta[name="robots"]')).toHaveAttribute("content", "noindex");
    await expect(page.locator('script[type="application/ld+json"]')).toHaveCount(0);
  }
  expect(images.size).toBe(8);
});

test("every card shows its complete title on two lines at every width, and says that the story is a sample", async ({
  page,
}) => {
  // The longest title that fits, with wide letters and long words.
  const widestTitle = "Mayor Names Transportation Commissioner Amid Budget Showdown";
  for (const [path, count] of [
    ["/", 5],
    ["/community", 3],
  ] as const) {
    await page.goto(path);
    const titles = page.getByRole("main").locator("article.news-card h3");
    await expect(titles).toHaveCount(count);
    await expect(
      page.locator("article.news-card").getByText("Sample", { exact: true }),
    ).toHaveCount(count);
    const findCutTitles = (lines: string) =>
      titles.evaluateAll(
        (all, clamp) =>
          all.flatMap((title) => {
            const isComplete = title.scrollHeight <= title.clientHeight;
            return isComplete && getComputedStyle(title).webkitLineClamp === clamp
              ? []
              : [title.textContent];
          }),
        lines,
      );
    const expectCompleteTitles = async () => {
      for (const width of widths) {
        await page.setViewportSize({ width, height: 900 });
        expect(await findCutTitles("2"), `${path} at ${width} px`).toEqual([]);
      }
    };
    await expectCompleteTitles();
    await titles.evaluateAll((all, text) => {
      for (const title of all) title.textContent = text;
    }, widestTitle);
    await expectCompleteTitles();
    // A reader who doubles the text size sees complete titles too, on as many lines as necessary.
    await page.setViewportSize(phone);
    await page.evaluate(() => {
      document.documentElement.style.fontSize = "200%";
    });
    expect(await findCutTitles("none"), `${path} with large text`).toEqual([]);
  }
});

test("all parts of a story are aligned at the left, from the category to the last paragraph", async ({
  page,
}) => {
  await page.goto("/news/lighthouse");
  const parts = page
    .locator("main article")
    .first()
    .locator("header > *, img, .prose > p, .prose > h2");
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 });
    const edges = await parts.evaluateAll((all) =>
      all.map((part) => Math.round(part.getBoundingClientRect().left)),
    );
    expect(new Set(edges).size, `at ${width} px: ${edges}`).toBe(1);
  }
});

test.describe("our own story", () => {
  const isOurs = (fields: string) => (source: string) => source.replace("sample: true\n", fields);

  test.use({
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture's dependencies from this parameter, and this fixture has none
    async baseURL({}, use) {
      const city = await startCity({
        "news/lighthouse.md": isOurs(`author: [Renata Calloway, Ada Byrd]
series: The harbor
updated: 2026-10-23
corrections:
  - { date: 2026-10-22, text: The lamp was lit in 1856. }
`),
        "news/trash-wheel.md": isOurs("series: The harbor\nads: false\n"),
      });
      await use(city.server.url);
      await city.close();
    },
  });

  test("says who wrote it, when it changed and what was wrong, and leads on to others", async ({
    page,
    context,
    browser,
    baseURL,
  }) => {
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.goto("/news/lighthouse");
    await waitForHydration(page);
    const article = page.getByRole("main").locator("article").first();
    await expect(article.locator("header")).toContainText("By Renata Calloway and Ada Byrd");
    await expect(article.locator("header")).toContainText("Published October 21, 2026");
    await expect(article.locator("header")).toContainText("Updated October 23, 2026");
    await expect(article.locator("header")).toContainText(/\d min read/);
    await expect(article.getByRole("region", { name: "Correction" })).toHaveText(
      "Correction, October 22, 2026: The lamp was lit in 1856.",
    );
    const parts = article.getByRole("region", { name: "Part of the series “The harbor”" });
    await expect(parts.getByRole("listitem")).toHaveCount(2);
    await expect(article.getByRole("link", { name: /^Next story/ })).toHaveAttribute(
      "href",
      "/news/trash-wheel",
    );
    await expect(article.getByText("Know more? Tell us", { exact: true })).toBeVisible();
    await expect(article.getByRole("link", { name: "Tell us" })).toHaveAttribute(
      "href",
      "/contact#message",
    );
    const more = page.getByRole("region", { name: "More from Local News" });
    await expect(more.getByRole("heading", { level: 3 }).first()).toContainText("Water Wheel");
    await expect(page.locator(".ad-row")).toHaveCount(1);
    expect((await createAxe(page).analyze()).violations).toEqual([]);

    await page.getByRole("button", { name: "Copy link" }).click();
    await expect(page.getByText("Link copied.")).toBeVisible();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(page.url());

    await page.emulateMedia({ media: "print" });
    await expect(article.getByText("/news/lighthouse")).toBeVisible();
    for (const hidden of [more, parts, page.locator(".ad-row"), page.getByRole("contentinfo")])
      await expect(hidden).toBeHidden();
    await page.emulateMedia({ media: "screen" });

    await article.getByRole("link", { name: "Renata Calloway" }).click();
    await expect(page).toHaveURL(/\/about#renata-calloway$/);
    await expect(page.getByRole("heading", { name: "Renata Calloway" })).toBeInViewport();

    await page.goto("/news/trash-wheel");
    await expect(page.locator(".ad-row")).toHaveCount(0);

    await page.getByRole("contentinfo").getByRole("link", { name: "Corrections" }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Corrections");
    const correction = page.getByRole("main").getByRole("listitem");
    await expect(correction).toContainText("October 22, 2026");
    await expect(correction).toContainText("The lamp was lit in 1856.");
    await correction.getByRole("link").click();
    await expect(page).toHaveURL(/\/news\/lighthouse#corrections$/);
    await expect(article.getByRole("region", { name: "Correction" })).toBeInViewport();

    const noScriptPage = await browser.newPage({
      javaScriptEnabled: false,
      viewport: phone,
      ...(baseURL ? { baseURL } : {}),
    });
    await noScriptPage.goto("/news/lighthouse");
    const tools = noScriptPage.getByRole("list", { name: "Share this page" });
    await expect(tools.getByRole("link", { name: "Email" })).toHaveAttribute(
      "href",
      /^mailto:\?subject=A%20Red%20Iron.*%2Fnews%2Flighthouse/,
    );
    await expect(tools.getByText("Email")).toBeInViewport();
    await expect(tools.getByRole("button")).toHaveCount(0);
    await noScriptPage.close();
  });
});

test("the list of stories is selected by plain links, and ends with a page that says so", async ({
  browser,
  baseURL,
}) => {
  const page = await browser.newPage({
    javaScriptEnabled: false,
    viewport: phone,
    ...(baseURL ? { baseURL } : {}),
  });
  await page.goto("/stories");
  const main = page.getByRole("main");
  await expect(main.getByRole("heading", { level: 2 })).toHaveText([
    "November 2026",
    "October 2026",
  ]);
  await expect(main.getByRole("article")).toHaveCount(8);
  await main
    .getByRole("navigation", { name: "Categories" })
    .getByRole("link", { name: "History" })
    .click();
  await expect(page).toHaveURL(/\/stories\?category=history$/);
  await expect(main.getByRole("article")).toHaveCount(2);
  await main.locator("summary:visible").click();
  await main.getByRole("link", { name: "October 2026" }).click();
  await expect(page).toHaveURL(/\/stories\?month=2026-10&category=history$/);
  await main.getByRole("article").first().getByRole("link").click();
  await expect(page).toHaveURL(/\/news\/arabbers$/);
  expect((await page.goto("/stories?category=weather&month=2001-01"))?.url()).toMatch(/\/stories$/);
  expect((await page.goto("/stories?category=History"))?.url()).toMatch(/\?category=history$/);
  expect((await page.goto("/stories?page=9"))?.status()).toBe(404);
  await expect(page.locator('meta[name="robots"]')).toHaveAttribute("content", "noindex");
  await expect(main).toContainText("There are no more stories.");
  await page.close();
});

test("on a phone, a reader who chooses a month sees its stories", async ({ page }) => {
  await page.setViewportSize(phone);
  await page.goto("/stories");
  await waitForHydration(page);
  const main = page.getByRole("main");
  const months = main.locator("summary:visible");
  await months.click();
  await main.getByRole("link", { name: "October 2026" }).click();
  await expect(main.getByRole("heading", { level: 2 })).toHaveText(["October 2026"]);
  await expect(main.getByRole("heading", { level: 2 })).toBeInViewport();
  await expect(main.getByRole("article").first()).toBeInViewport();
  // The list of months has closed.
  await expect(main.getByRole("link", { name: "All months" })).toBeHidden();
});

test("without corrections, the page says how to report a mistake", async ({ page }) => {
  await page.goto("/corrections");
  await expect(page.getByRole("main")).toContainText("No corrections so far.");
  await page.getByRole("main").getByRole("link", { name: "Report a mistake" }).click();
  await expect(page).toHaveURL(/\/contact#message$/);
  await expect(page.locator("iframe").first()).toBeInViewport();
  await page.goto("/about");
  await expect(page.getByRole("link", { name: "See our corrections" })).toHaveAttribute(
    "href",
    "/corrections",
  );
});

test("a sample event has a page that is never in the past, and search engines do not index it", async ({
  page,
}) => {
  await page.setViewportSize(desktop);
  for (const id of ["lantern-walk", "community-supper"]) {
    await page.goto(`/events/${id}`);
    await expect(page.getByText("This event is over.")).toHaveCount(0);
    await expect(page.locator("h1 + p")).toHaveText(
      /^This is a sample event\..*will not take place\.$/,
    );
    await expect(page.locator('script[type="application/ld+json"]')).toHaveCount(0);
    await expect(page.locator('meta[name="robots"]')).toHaveAttribute("content", "noindex");
  }
});

test("unknown stories and events are not found", async ({ request }) => {
  for (const path of [
    "/news/none",
    "/events/none",
    "/news/../site",
    "/news/marble-steps/x",
    "/news/%00",
  ])
    expect([400, 404], path).toContain((await request.get(path)).status());
});
