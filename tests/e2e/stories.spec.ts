import { readdirSync } from "node:fs";
import { desktop, expect, phone, test } from "./support.ts";

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
    await expect(page.getByRole("heading", { name: "More stories" })).toBeVisible();
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
