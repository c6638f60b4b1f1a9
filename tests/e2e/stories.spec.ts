import { expect, phone, test, waitForHydration } from "./support.ts";
import { openWithWebFonts } from "./web-fonts.ts";

const widths = [320, 360, 390, 640, 768, 820, 1024, 1152, 1280, 1440, 1920];

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("every card shows its complete title on two lines at every width, and says that the story is a sample", async ({
    page,
  }) => {
    // The longest title that fits, with wide letters and long words.
    const widestTitle = "Mayor Names Transportation Commissioner Amid Budget Showdown";
    for (const [path, count] of [
      ["/", 5],
      ["/community", 3],
    ] as const) {
      await openWithWebFonts(page, path);
      const titles = page.getByRole("main").locator("article.news-card h3");
      await expect(titles).toHaveCount(count);
      await expect(
        page.locator("article.news-card").getByText("Sample", { exact: true }),
      ).toHaveCount(count);
      /** Returns the titles that are cut off, also if all of them were the widest title. */
      const findCutTitles = (lines: string) =>
        titles.evaluateAll(
          (all, { clamp, widest }) => {
            const texts = all.map((title) => title.textContent);
            const findCut = () =>
              all
                .filter(
                  (title) =>
                    title.scrollHeight > title.clientHeight ||
                    getComputedStyle(title).webkitLineClamp !== clamp,
                )
                .map((title) => title.textContent);
            const cutTitles = findCut();
            for (const title of all) title.textContent = widest;
            cutTitles.push(...findCut());
            for (const [index, title] of all.entries()) title.textContent = texts[index] ?? "";
            return cutTitles;
          },
          { clamp: lines, widest: widestTitle },
        );
      for (const width of widths) {
        await page.setViewportSize({ width, height: 900 });
        expect(await findCutTitles("2"), `${path} at ${width} px`).toEqual([]);
      }
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

test("a story, a post and an event have the same tools in the same order, and a phone shows their names", async ({
  page,
}) => {
  await page.setViewportSize({ width: 320, height: 700 });
  for (const path of [
    "/news/marble-steps",
    "/blog/film-your-street-with-a-phone",
    "/events/lantern-walk",
  ]) {
    await page.goto(path);
    await waitForHydration(page);
    const tools = page.getByRole("list", { name: "Share this page" });
    for (const [index, name] of [
      "Save",
      "Copy link",
      "Email",
      "Print",
      "Report a mistake",
    ].entries()) {
      const tool = tools.getByRole("listitem").nth(index);
      await expect(tool).toHaveText(name);
      const box = await tool.getByText(name).boundingBox();
      expect(box?.width, `${path}: ${name}`).toBeGreaterThan(name.length * 5);
    }
    await expect(tools.getByRole("link", { name: "Report a mistake" })).toHaveAttribute(
      "href",
      `/contact?about=${encodeURIComponent(path)}#message`,
    );
  }
  await page.goto("/news/marble-steps");
  await page.getByRole("link", { name: "Tell us about this story" }).click();
  const form = page.frameLocator('iframe[title="Send us a message"]');
  await expect(form.getByText("How White Marble Climbed to the Rowhouse Door")).toBeVisible();
  await expect(form.getByLabel("What is it about?")).toHaveValue("tip");
});
