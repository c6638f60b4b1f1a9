import type { Locator, Page, Route } from "@playwright/test";
import { desktop, expect, stopClock, test, waitForHydration } from "./support.ts";

test.use({ viewport: desktop });

const pageLinks = (page: Page) => page.getByRole("navigation", { name: "Blog pages" });
const getMain = (page: Page) => page.getByRole("main");

/**
 * Replaces the backend with `respond`. Returns the requests, including later ones. The current page
 * counts the answers.
 */
async function mockBackend(
  page: Page,
  respond: (url: URL, route: Route) => Promise<void>,
): Promise<string[]> {
  const requests: string[] = [];
  await page.route("**/functions/v1/**", async (route) => {
    const url = new URL(route.request().url());
    requests.push(url.pathname.replace("/functions/v1/", "") + url.search);
    await respond(url, route);
  });
  await page.evaluate(() => {
    const send = window.fetch;
    Object.assign(window, { answers: 0 });
    window.fetch = async (...request) => {
      const response = await send(...request);
      if (response.url.includes("/functions/v1/"))
        Reflect.set(window, "answers", Reflect.get(window, "answers") + 1);
      return response;
    };
  });
  return requests;
}

/** Stops the page's clock, so that time passes only with `page.clock.runFor`. */
async function pauseClock(page: Page): Promise<void> {
  // The clock can only be paused at a time in its future.
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 60_000);
}

/**
 * Waits for a number of requests while the clock is stopped. One millisecond at a time runs the
 * timers without a delay.
 */
const waitForRequests = (page: Page, requests: string[], count: number) =>
  expect
    .poll(async () => {
      await page.clock.runFor(1);
      return requests.length;
    })
    .toBe(count);

/**
 * Expects three retries, one, two and four seconds after the previous attempt, and then no more.
 * The clock must be stopped, and runs afterwards.
 */
async function expectRetries(page: Page, requests: string[]): Promise<void> {
  /** The time until a retry begins with the answer, not with the request. */
  const waitForAnswer = (count: number) =>
    expect
      .poll(async () => {
        await page.clock.runFor(1);
        return page.evaluate(() => Reflect.get(window, "answers"));
      })
      .toBe(count);
  for (const [attempts, waitMs] of [
    [1, 1_000],
    [2, 2_000],
    [3, 4_000],
  ] as const) {
    await waitForAnswer(attempts);
    await expect(page.locator("[data-skeleton]").first()).toBeAttached();
    await page.clock.runFor(waitMs / 2);
    expect(requests).toHaveLength(attempts);
    await page.clock.runFor(waitMs / 2);
  }
  await waitForAnswer(4);
  await page.clock.resume();
  await page.clock.runFor(60_000);
  expect(requests).toHaveLength(4);
}

/** Lets time pass until the element is visible, which the retries of a fetch delay. */
const waitWithClock = (page: Page, element: Locator) =>
  expect
    .poll(
      async () => {
        await page.clock.runFor(2_000);
        return element.isVisible();
      },
      { intervals: [100] },
    )
    .toBe(true);

/** Follows the link to the blog on the current page, without a full page load. */
const openBlog = (page: Page) =>
  page.getByRole("banner").getByRole("link", { name: "Blog", exact: true }).click();

const createList = (total: number) => ({
  total,
  blogs: Array.from({ length: 10 }, (_, index) => ({
    id: index,
    slug: `post-${index}`,
    metaTitle: `Post ${index}`,
    metaDescription: "About it",
  })),
});

test("the first list comes with the page, and after that the browser fetches each page once", async ({
  page,
}) => {
  const requests = await mockBackend(page, (_url, route) => route.continue());
  await page.goto("/blog");
  await waitForHydration(page);
  await expect(getMain(page).getByRole("heading", { level: 2 })).toHaveCount(10);
  await expect(getMain(page).locator("img.post-round").first()).toHaveAttribute("src", /^\/art\//);
  await expect(pageLinks(page).getByRole("link", { name: "Previous" })).toBeDisabled();
  const [firstTitle] = await getMain(page).getByRole("heading", { level: 2 }).allTextContents();
  await pageLinks(page).getByRole("link", { name: "2", exact: true }).click();
  await expect(page).toHaveURL(/\/blog\?page=2$/);
  await expect(page).toHaveTitle("Blog, page 2 | Harborline Baltimore");
  await expect(page.getByRole("heading", { level: 1 })).toBeFocused();
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(0);
  await expect(pageLinks(page).getByRole("link", { name: "2", exact: true })).toHaveAttribute(
    "aria-current",
    "page",
  );
  await page.emulateMedia({ forcedColors: "active" });
  const [current, other] = await Promise.all(
    ["2", "1"].map((name) =>
      pageLinks(page)
        .getByRole("link", { name, exact: true })
        .evaluate((link) => getComputedStyle(link).backgroundColor),
    ),
  );
  expect(current, "the current page stands out in forced colors").not.toBe(other);
  const firstPost = getMain(page).getByRole("heading", { level: 2 }).first();
  const title = await firstPost.textContent();
  await firstPost.getByRole("link").click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(title ?? "");
  await expect(page).toHaveTitle(title ?? "");
  // The browser fetches the post. Then the heading has the focus and the title is announced.
  await expect(page.getByRole("heading", { level: 1 })).toBeFocused();
  await expect(page.getByRole("status").filter({ hasText: title ?? "" })).toBeAttached();
  await page.getByRole("link", { name: "Back to Blog" }).click();
  await expect(page).toHaveURL(/\/blog\?page=2$/);
  await page.goBack();
  await page.goBack();
  await expect(page).toHaveURL(/\/blog\?page=2$/);
  await page.goBack();
  await expect(getMain(page).getByRole("heading", { level: 2 }).first()).toHaveText(
    firstTitle ?? "",
  );
  expect(requests).toEqual([
    expect.stringMatching(/^get_metainfo\?domain=(localhost|127\.0\.0\.1)&page=2$/),
    expect.stringMatching(/^get_details\?slug=/),
  ]);
});

test("the list shows a loading state, an error after four attempts with or without a response, the result of Try Again, and an empty state", async ({
  page,
}) => {
  await stopClock(page);
  await page.goto("/about");
  await waitForHydration(page);
  let respond: (route: Route, url: URL) => Promise<void> = async () => {};
  const requests = await mockBackend(page, (url, route) => respond(route, url));
  await openBlog(page);
  // Without a response, the browser gives up after ten seconds, and tries three more times.
  await waitForRequests(page, requests, 1);
  await page.clock.runFor(9_000);
  await expect(page.locator("[data-skeleton]")).toHaveCount(6);
  expect(requests).toHaveLength(1);
  await waitWithClock(page, page.getByRole("alert").filter({ hasText: "Failed to load blogs" }));
  await page.clock.resume();
  await page.clock.runFor(60_000);
  expect(requests).toHaveLength(4);

  requests.length = 0;
  await pauseClock(page);
  respond = (route) => route.fulfill({ status: 418 });
  await page.getByRole("button", { name: "Try Again" }).click();
  await expectRetries(page, requests);
  await expect(page.getByRole("alert")).toContainText(
    "Error loading blogs: Failed to fetch blogs: 418",
  );

  respond = (route) => route.fulfill({ json: createList(230) });
  await page.getByRole("button", { name: "Try Again" }).click();
  await expect(getMain(page).getByRole("heading", { name: "Post 3" })).toBeVisible();
  const readPageLinks = () => pageLinks(page).locator("li").allTextContents();
  expect((await readPageLinks()).join(" ")).toBe("Previous 1 2 3 4 5 … 23 Next");
  for (const number of ["5", "7", "9", "11", "12"])
    await pageLinks(page).getByRole("link", { name: number, exact: true }).click();
  await expect
    .poll(async () => (await readPageLinks()).join(" "))
    .toBe("Previous 1 … 10 11 12 13 14 … 23 Next");

  // A post opens whatever characters its slug has.
  const slug = "Über uns/50% & mehr?#1";
  const head = { metaTitle: "Über uns", metaDescription: "D" };
  respond = (route, url) =>
    route.fulfill({
      json: url.pathname.endsWith("get_metainfo")
        ? { blogs: [{ id: 1, slug, ...head }], total: 230 }
        : { ...head, date: "2026-11-01", blog: "Text" },
    });
  await pageLinks(page).getByRole("link", { name: "14", exact: true }).click();
  await getMain(page).getByRole("link", { name: "Über uns" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Über uns");
  await expect(page).toHaveURL(`/blog/${encodeURIComponent(slug)}`);
  expect(requests.at(-1)).toBe(`get_details?${new URLSearchParams({ slug })}`);
  await page.goBack();

  respond = (route) => route.fulfill({ json: { blogs: [], total: 0 } });
  await pageLinks(page).getByRole("link", { name: "13", exact: true }).click();
  await expect(getMain(page)).toContainText("No blog articles found.");
  await expect(pageLinks(page)).toHaveCount(0);
});

test("an article and the list show an error to a reader who is offline, and load when the reader is back online", async ({
  page,
  context,
}) => {
  await page.clock.install();
  await page.goto("/blog/film-your-street-with-a-phone");
  await waitForHydration(page);
  const title = await page.getByRole("heading", { level: 1 }).textContent();
  await page
    .getByRole("complementary", { name: "After this article" })
    .getByRole("link")
    .first()
    .click();
  await expect(page.getByRole("heading", { level: 1 })).not.toHaveText(title ?? "");
  // By then the browser has dropped the first article from its cache.
  await page.clock.runFor(6 * 60_000);
  await context.setOffline(true);
  await page.goBack();
  await waitWithClock(page, page.getByRole("alert"));
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Error Loading Blog");
  await expect(page.getByRole("alert")).toHaveText("Failed to load blog");
  await page.getByRole("button", { name: "Try Again" }).click();
  await waitWithClock(page, page.getByRole("alert"));
  await context.setOffline(false);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(title ?? "");

  await page.getByRole("link", { name: "Back to Blog" }).click();
  await expect(pageLinks(page)).toBeVisible();
  await context.setOffline(true);
  await pageLinks(page).getByRole("link", { name: "2", exact: true }).click();
  const error = page
    .getByRole("alert")
    .filter({ hasText: "Error loading blogs: Failed to load blogs" });
  await waitWithClock(page, error);
  await page.getByRole("button", { name: "Try Again" }).click();
  await waitWithClock(page, error);
  await expect(page.locator("[data-skeleton]")).toHaveCount(0);
  await context.setOffline(false);
  await expect(error).toHaveCount(0);
  await expect(getMain(page).getByRole("heading", { level: 2 }).first()).toBeVisible();
});

test("the page of a post shows an error, a missing post, and a post with only the fields of the contract", async ({
  page,
}) => {
  await stopClock(page);
  await page.goto("/blog");
  await waitForHydration(page);
  const contractPost = {
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
  let respond: (route: Route) => Promise<void> = (route) => route.fulfill({ status: 500 });
  const requests = await mockBackend(page, (_url, route) => respond(route));
  const openPost = (index: number) =>
    getMain(page).getByRole("heading", { level: 2 }).nth(index).getByRole("link").click();
  await openPost(0);
  await expectRetries(page, requests);
  await expect(page.getByRole("heading", { level: 1, name: "Error Loading Blog" })).toBeVisible();
  await expect(page.getByRole("alert")).toHaveText("Failed to fetch blog: 500");

  respond = (route) => route.fulfill({ json: null });
  await page.getByRole("button", { name: "Try Again" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Blog Not Found" })).toBeVisible();
  await expect(getMain(page)).toContainText("The requested blog article could not be found.");

  respond = (route) => route.fulfill({ json: contractPost });
  await getMain(page).getByRole("link", { name: "Back to Blog" }).click();
  await openPost(2);
  await expect(page).toHaveTitle(contractPost.metaTitle);
  await expect(page.locator('meta[name="description"]')).toHaveAttribute(
    "content",
    contractPost.metaDescription,
  );
  await expect(getMain(page).locator("time")).toHaveText("October 31, 2026");
  await expect(getMain(page).getByText("sister.example")).toBeVisible();
  await expect(getMain(page).locator(".prose")).toHaveText("First line <b>\n\nSecond");
  const pin = getMain(page).getByRole("link", { name: /^View on Pinterest/ });
  await expect(pin).toHaveAttribute("href", contractPost.pinterestImageLink);
  await expect(pin).toHaveAttribute("target", "_blank");
  await expect(getMain(page).getByText("Short-tail:")).toBeVisible();
  await expect(getMain(page).getByText("Long-tail:")).toHaveCount(0);
  await expect(page.getByRole("heading", { name: "Related Video" })).toHaveCount(0);
});

test("a post comes with the page, has a video and related posts, and copies its link without moving anything", async ({
  page,
  context,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const path = "/blog/film-your-street-with-a-phone";
  const requests = await mockBackend(page, (_url, route) => route.continue());
  await page.goto(path);
  await waitForHydration(page);
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
  await page.setViewportSize({ width: 320, height: 800 });
  const readPositions = () =>
    getMain(page)
      .locator("h1, figure, .prose, button")
      .evaluateAll((elements) =>
        elements.map((element) => JSON.stringify(element.getBoundingClientRect())),
      );
  const before = await readPositions();
  await page.getByRole("button", { name: "Copy link" }).click();
  await expect(page.getByText("Link copied.")).toBeInViewport({ ratio: 1 });
  expect(await readPositions(), "nothing moves").toEqual(before);
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(page.url());
  expect(requests).toEqual([]);
});
