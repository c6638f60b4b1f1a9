import type { Page, Route } from "@playwright/test";
import { desktop, expect, hydrated, test } from "./support.ts";

test.use({ viewport: desktop });

const pages = (page: Page) => page.getByRole("navigation", { name: "Blog pages" });
const main = (page: Page) => page.getByRole("main");

/** Answers in the backend's place, and notes what it was asked. */
async function answer(
  page: Page,
  give: (url: URL, route: Route) => Promise<void>,
): Promise<string[]> {
  const asked: string[] = [];
  await page.route("**/functions/v1/**", async (route) => {
    const url = new URL(route.request().url());
    asked.push(url.pathname.replace("/functions/v1/", "") + url.search);
    await give(url, route);
  });
  return asked;
}

/**
 * Three more tries after the first, which come a second, two and four after the one before; then no
 * more.
 */
async function untilItGivesUp(page: Page, asked: string[]): Promise<void> {
  for (const [tries, waitMs] of [
    [1, 1_000],
    [2, 2_000],
    [3, 4_000],
  ] as const) {
    await expect.poll(() => asked.length).toBe(tries);
    await expect(page.locator("[data-skeleton]").first()).toBeAttached();
    await page.clock.runFor(waitMs);
  }
  await expect.poll(() => asked.length).toBe(4);
  await page.clock.runFor(60_000);
  expect(asked).toHaveLength(4);
}

/** From a page that is open already, as a reader goes. */
const toBlog = (page: Page) =>
  page.getByRole("banner").getByRole("link", { name: "Blog", exact: true }).click();

const listOf = (total: number) => ({
  total,
  blogs: Array.from({ length: 10 }, (_, index) => ({
    id: index,
    slug: `post-${index}`,
    metaTitle: `Post ${index}`,
    metaDescription: "About it",
  })),
});

test("the list comes with the page; from then on the browser asks for each page itself, once", async ({
  page,
}) => {
  const asked = await answer(page, (_url, route) => route.continue());
  await page.goto("/blog");
  await hydrated(page);
  await expect(main(page).getByRole("heading", { level: 2 })).toHaveCount(10);
  await expect(main(page).locator("img.post-round").first()).toHaveAttribute("src", /^\/art\//);
  await expect(pages(page).getByRole("link", { name: "Previous" })).toBeDisabled();
  const [first] = await main(page).getByRole("heading", { level: 2 }).allTextContents();
  await pages(page).getByRole("link", { name: "2", exact: true }).click();
  await expect(page).toHaveURL(/\/blog\?page=2$/);
  await expect(page).toHaveTitle("Blog, page 2 | Harborline Baltimore");
  await expect(page.getByRole("heading", { level: 1 })).toBeFocused();
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(0);
  await expect(pages(page).getByRole("link", { name: "2", exact: true })).toHaveAttribute(
    "aria-current",
    "page",
  );
  await page.emulateMedia({ forcedColors: "active" });
  const [chosen, other] = await Promise.all(
    ["2", "1"].map((name) =>
      pages(page)
        .getByRole("link", { name, exact: true })
        .evaluate((link) => getComputedStyle(link).backgroundColor),
    ),
  );
  expect(chosen, "the chosen page can be told in forced colors").not.toBe(other);
  const article = main(page).getByRole("heading", { level: 2 }).first();
  const title = await article.textContent();
  await article.getByRole("link").click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(title ?? "");
  await expect(page).toHaveTitle(title ?? "");
  // The page loads its content itself; then its heading has the focus, and its title is announced.
  await expect(page.getByRole("heading", { level: 1 })).toBeFocused();
  await expect(page.getByRole("status").filter({ hasText: title ?? "" })).toBeAttached();
  await page.goBack();
  await expect(page).toHaveURL(/\/blog\?page=2$/);
  await page.goBack();
  await expect(main(page).getByRole("heading", { level: 2 }).first()).toHaveText(first ?? "");
  expect(asked).toEqual([
    expect.stringMatching(/^get_metainfo\?domain=(localhost|127\.0\.0\.1)&page=2$/),
    expect.stringMatching(/^get_details\?slug=/),
  ]);
});

test("a list on its way, one that fails four times, one that is tried again, and an empty one", async ({
  page,
}) => {
  await page.clock.install();
  await page.goto("/about");
  await hydrated(page);
  let give: (route: Route) => Promise<void> = (route) => route.fulfill({ status: 418 });
  const asked = await answer(page, (_url, route) => give(route));
  await toBlog(page);
  await expect(page.locator("[data-skeleton]")).toHaveCount(6);
  await untilItGivesUp(page, asked);
  await expect(page.getByRole("alert")).toContainText(
    "Error loading blogs: Failed to fetch blogs: 418",
  );
  give = (route) => route.fulfill({ json: listOf(230) });
  await page.getByRole("button", { name: "Try Again" }).click();
  await expect(main(page).getByRole("heading", { name: "Post 3" })).toBeVisible();
  const shown = () => pages(page).locator("li").allTextContents();
  expect((await shown()).join(" ")).toBe("Previous 1 2 3 4 5 … 23 Next");
  for (const number of ["5", "7", "9", "11", "12"])
    await pages(page).getByRole("link", { name: number, exact: true }).click();
  await expect
    .poll(async () => (await shown()).join(" "))
    .toBe("Previous 1 … 10 11 12 13 14 … 23 Next");

  give = (route) => route.fulfill({ json: { blogs: [], total: 0 } });
  await pages(page).getByRole("link", { name: "13", exact: true }).click();
  await expect(main(page)).toContainText("No blog articles found.");
  await expect(pages(page)).toHaveCount(0);
});

test("without a connection the list says so, can be tried again, and loads once the reader is back", async ({
  page,
  context,
}) => {
  await page.goto("/blog");
  await hydrated(page);
  await context.setOffline(true);
  await pages(page).getByRole("link", { name: "2", exact: true }).click();
  const error = page
    .getByRole("alert")
    .filter({ hasText: "Error loading blogs: Failed to load blogs" });
  await expect(error).toBeVisible();
  await page.getByRole("button", { name: "Try Again" }).click();
  await expect(error).toBeVisible();
  await expect(page.locator("[data-skeleton]")).toHaveCount(0);
  await context.setOffline(false);
  await expect(error).toHaveCount(0);
  await expect(main(page).getByRole("heading", { level: 2 }).first()).toBeVisible();
});

test("an article that fails, one that is not there, and one from a backend of the bare contract", async ({
  page,
}) => {
  await page.clock.install();
  await page.goto("/blog");
  await hydrated(page);
  const bare = {
    metaTitle: "Bare <i>Title</i>",
    metaDescription: "A description",
    date: "2026-11-01T02:00:00Z",
    domain: "sister.example",
    pinterestImageLink: "https://pins.example/p.png",
    blog: "First line <b>\n\nSecond",
    shortTailKeywords: "one, two",
    longTailKeywords: null,
    youtubeShortsUrl: "https://www.youtube.com/shorts/short",
  };
  let give: (route: Route) => Promise<void> = (route) => route.fulfill({ status: 500 });
  const asked = await answer(page, (_url, route) => give(route));
  const open = (index: number) =>
    main(page).getByRole("heading", { level: 2 }).nth(index).getByRole("link").click();
  await open(0);
  await expect(page.locator("[data-skeleton]")).toBeAttached();
  await untilItGivesUp(page, asked);
  await expect(page.getByRole("heading", { level: 1, name: "Error Loading Blog" })).toBeVisible();
  await expect(page.getByRole("alert")).toHaveText("Failed to fetch blog: 500");

  give = (route) => route.fulfill({ json: null });
  await page.getByRole("button", { name: "Try Again" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Blog Not Found" })).toBeVisible();
  await expect(main(page)).toContainText("The requested blog article could not be found.");

  give = (route) => route.fulfill({ json: bare });
  await main(page).getByRole("link", { name: "Back to Blog" }).click();
  await open(2);
  await expect(page).toHaveTitle(bare.metaTitle);
  await expect(page.locator('meta[name="description"]')).toHaveAttribute(
    "content",
    bare.metaDescription,
  );
  await expect(main(page).locator("time")).toHaveText("October 31, 2026");
  await expect(main(page).getByText("sister.example")).toBeVisible();
  await expect(main(page).locator(".prose")).toHaveText("First line <b>\n\nSecond");
  const pin = main(page).getByRole("link", { name: /^View on Pinterest/ });
  await expect(pin).toHaveAttribute("href", bare.pinterestImageLink);
  await expect(pin).toHaveAttribute("target", "_blank");
  await expect(main(page).getByText("Short-tail:")).toBeVisible();
  await expect(main(page).getByText("Long-tail:")).toHaveCount(0);
  await expect(page.getByRole("heading", { name: "Related Video" })).toHaveCount(0);
});

test("an article is whole without JavaScript's help, and says 404 where there is none", async ({
  page,
  context,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const path = "/blog/film-your-street-with-a-phone";
  const asked = await answer(page, (_url, route) => route.continue());
  const html = await (await page.request.get(path)).text();
  expect(html).toContain("<title>Film Your Street With the Phone in Your Pocket</title>");
  expect(html).toContain("September 16, 2026");
  await page.goto(path);
  await hydrated(page);
  const data = JSON.parse(
    (await page.locator('script[type="application/ld+json"]').textContent()) ?? "",
  );
  expect(data).toMatchObject({ "@type": "BlogPosting", datePublished: "2026-09-16" });
  const video = page.getByRole("region", { name: "Related Video" }).locator("[data-embed-src]");
  await expect(video).toHaveAttribute(
    "data-embed-src",
    /youtube-nocookie\.com\/embed\/jNQXAC9IVRw\?rel=0/,
  );
  const box = await video.locator(".embed-poster").boundingBox();
  expect((box?.height ?? 0) / (box?.width ?? 1)).toBeCloseTo(16 / 9, 1);
  await expect(
    page.getByRole("complementary", { name: "After this article" }).getByRole("listitem"),
  ).toHaveCount(3);
  await page.evaluate(() => Object.defineProperty(navigator, "share", { value: undefined }));
  await page.setViewportSize({ width: 320, height: 800 });
  const places = () =>
    main(page)
      .locator("h1, figure, .prose, button")
      .evaluateAll((elements) =>
        elements.map((element) => JSON.stringify(element.getBoundingClientRect())),
      );
  const before = await places();
  await page.getByRole("button", { name: "Share" }).click();
  await expect(page.getByText("Link copied.")).toBeInViewport({ ratio: 1 });
  expect(await places(), "nothing moves").toEqual(before);
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(page.url());
  expect(asked).toEqual([]);
  const missing = await page.goto("/blog/no-such-article");
  expect(missing?.status()).toBe(404);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Blog Not Found");
});
