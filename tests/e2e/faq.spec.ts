import { expect, test, waitForHydration } from "./support.ts";

test("the FAQ has 19 categories with five questions each, without duplicates, all closed at first", async ({
  page,
}) => {
  await page.goto("/faq");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Frequently Asked Questions");
  const categories = await page
    .getByRole("navigation", { name: "Browse by Category" })
    .getByRole("link")
    .allTextContents();
  expect(categories).toEqual([
    "General Information",
    "News Coverage",
    "Community & Events",
    "Business & Economy",
    "Education",
    "Transportation",
    "Health & Safety",
    "Arts & Culture",
    "Food & Dining",
    "Real Estate",
    "Technology",
    "Environment",
    "Contact & Submissions",
    "Advertising",
    "Technical Support",
    "Privacy & Legal",
    "Archives",
    "Baltimore Specific",
    "Special Features",
  ]);
  const questions = await page.locator("details summary").allTextContents();
  expect(questions).toHaveLength(95);
  expect(new Set(questions).size).toBe(95);
  await expect(page.getByRole("heading", { level: 3 })).toHaveText(questions);
  await expect(page.locator("details[open]")).toHaveCount(0);
  for (const answer of await page.locator("details .prose").allTextContents())
    expect(answer.length).toBeGreaterThan(150);
});

test("links to other sites open in a new tab, and tell sighted and blind readers so", async ({
  page,
}) => {
  await page.goto("/faq#is-it-free");
  const externalLinks = page.locator('details .prose a[href^="http"]');
  expect(await externalLinks.count()).toBeGreaterThan(50);
  const attributes = await externalLinks.evaluateAll((links) =>
    links.map((link) => [
      link.getAttribute("target"),
      link.getAttribute("rel"),
      link.textContent?.endsWith(" (opens in a new tab)"),
      getComputedStyle(link, "::after").backgroundImage !== "none",
    ]),
  );
  expect(new Set(attributes.map(String))).toEqual(new Set(["_blank,noopener,true,true"]));
  await expect(
    page.locator('.prose a[href^="/"][target], .prose a[href^="mailto:"][target]'),
  ).toHaveCount(0);
  const [data = ""] = await page.locator('script[type="application/ld+json"]').allTextContents();
  expect(data.includes("(opens in a new tab)"), "structured data does not mention tabs").toBe(
    false,
  );
});

test("a printed FAQ shows every answer, in two columns", async ({ page }) => {
  await page.goto("/faq");
  await page.emulateMedia({ media: "print" });
  await expect(page.locator(".faq-list")).toHaveCSS("column-count", "2");
  const heights = await page
    .locator("details .prose")
    .evaluateAll((answers) => answers.map((answer) => answer.getBoundingClientRect().height));
  expect(Math.min(...heights)).toBeGreaterThan(30);
});

test("opening an answer closes the previous one, and clicking an open question closes its answer", async ({
  page,
}) => {
  await page.goto("/faq");
  const [firstEntry, lastEntry] = [page.locator("details").first(), page.locator("details").last()];
  await firstEntry.locator("summary").click();
  await expect(firstEntry).toHaveAttribute("open");
  await lastEntry.locator("summary").click();
  await expect(lastEntry).toHaveAttribute("open");
  await expect(firstEntry).not.toHaveAttribute("open");
  await lastEntry.locator("summary").click();
  await expect(page.locator("details[open]")).toHaveCount(0);
  await firstEntry.locator("summary").focus();
  await page.keyboard.press("Enter");
  await expect(firstEntry).toHaveAttribute("open");
});

test("a category's button scrolls to it and moves the focus there", async ({ page }) => {
  await page.goto("/faq");
  await waitForHydration(page);
  const readScrollBehavior = () =>
    page.evaluate(() => getComputedStyle(document.documentElement).scrollBehavior);
  // With "smooth", the Back button would scroll slowly through the page.
  expect(await readScrollBehavior()).toBe("auto");
  await page.getByRole("link", { name: "Transportation", exact: true }).click();
  await expect(page.locator("#transportation")).toBeFocused();
  await expect(page.getByRole("heading", { name: "Transportation" })).toBeInViewport();
  expect(await readScrollBehavior()).toBe("smooth");
});

for (const javaScriptEnabled of [true, false]) {
  test(`a link to an answer opens the answer ${javaScriptEnabled ? "with" : "without"} JavaScript`, async ({
    browser,
    baseURL,
  }) => {
    const page = await browser.newPage({ javaScriptEnabled, ...(baseURL ? { baseURL } : {}) });
    await page.goto("/faq#is-it-free");
    const entry = page.locator("details", { has: page.locator("#is-it-free") });
    await expect(entry).toHaveAttribute("open");
    await expect(entry.getByRole("heading", { level: 3 })).toBeInViewport({ ratio: 1 });
    await page.close();
  });
}

test("the search box finds questions by words in their answers, and shows how many it found", async ({
  page,
}) => {
  await page.goto("/faq");
  await waitForHydration(page);
  await page.getByLabel("Find a question").fill("ground rent");
  await expect(page.getByRole("status").filter({ hasText: "question" })).toHaveText(
    /^\d+ questions?$/,
  );
  const visibleCount = await page.locator("details:visible").count();
  expect(visibleCount).toBeGreaterThan(0);
  expect(visibleCount).toBeLessThan(10);
  await page.getByLabel("Find a question").fill("zeppelin mooring mast");
  await expect(page.getByText("No question contains these words.")).toBeVisible();
});

test("the FAQ ends with contact buttons and popular pages, and has structured data", async ({
  page,
}) => {
  await page.goto("/faq");
  const contactSection = page.getByRole("region", { name: "Still Have Questions?" });
  await expect(contactSection.getByRole("link", { name: "Contact Us" })).toHaveAttribute(
    "href",
    "/contact",
  );
  await expect(contactSection.getByRole("link", { name: "Email Us" })).toHaveAttribute(
    "href",
    /^mailto:hello@/,
  );
  const popular = page.getByRole("navigation", { name: "Popular Pages" }).getByRole("link");
  expect(
    await popular.evaluateAll((links) => links.map((link) => link.getAttribute("href"))),
  ).toEqual([
    "/news",
    "/events",
    "/community",
    "/contact",
    "/about",
    "/partners",
    "/privacy",
    "/terms",
  ]);
  await expect(page.locator('meta[name="geo.position"]')).toHaveAttribute(
    "content",
    "39.2904;-76.6122",
  );
  const structuredData = await page
    .locator('script[type="application/ld+json"]')
    .evaluateAll((scripts) => scripts.map((script) => JSON.parse(script.textContent ?? "")));
  expect(structuredData.map((data) => data["@type"])).toEqual(["FAQPage", "NewsMediaOrganization"]);
  expect(structuredData[0].mainEntity).toHaveLength(95);
});
