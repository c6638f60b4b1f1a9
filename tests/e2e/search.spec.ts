import { createAxe, desktop, expect, phone, test, waitForHydration } from "./support.ts";

test.use({ viewport: desktop });

test("the results page shows any query as plain text, and says what it found instead", async ({
  page,
}) => {
  await page.goto("/search?q=%3Ci%3Ezzzq%3C%2Fi%3E+%26+xvxv");
  const main = page.getByRole("main");
  await expect(main.getByRole("status")).toContainText("No results for “<i>zzzq</i> & xvxv”");
  await expect(main.getByRole("link", { name: "ask the newsroom" })).toBeVisible();
  await waitForHydration(page);
  await main.getByRole("combobox", { name: "Search" }).fill("lihgthouse");
  await page.keyboard.press("Enter");
  await expect(main.getByRole("status")).toContainText(
    /Did you mean “lighthouse”\? Showing \d+ results/,
  );
  await expect(main.getByRole("link", { name: "ask the newsroom" })).toBeVisible();
  const { violations } = await createAxe(page).include("main").analyze();
  expect(
    violations.map(({ id, nodes }) => ({ id, elements: nodes.map((node) => node.target) })),
  ).toEqual([]);

  await main.getByRole("combobox", { name: "Search" }).fill("red lighthouse quokka");
  await page.keyboard.press("Enter");
  await expect(main.getByRole("status")).toContainText(
    "No page has all of these words. These have some of them.",
  );
  await expect(main.getByRole("listitem").locator("h2 a").first()).toContainText("Red");

  await main.getByRole("combobox", { name: "Search" }).fill("311");
  await page.keyboard.press("Enter");
  const externalLink = main.locator('h2 a[href^="https:"]').first();
  await expect(externalLink).toHaveAttribute("target", "_blank");
  await expect(externalLink).toHaveAccessibleName(/\(opens in a new tab\)$/);

  await main.getByRole("combobox", { name: "Search" }).fill("baltimore");
  await page.keyboard.press("Enter");
  await main.getByRole("link", { name: "Next page of results" }).click();
  await expect(main.getByRole("status")).toContainText("(page 2 of");
  await expect(main.getByRole("status")).toBeFocused();
});

test("suggestions appear while the reader types, and can be chosen by keyboard or mouse", async ({
  page,
}) => {
  const scriptsAllowed = Promise.withResolvers<void>();
  await page.route("**/*.js", (route) => scriptsAllowed.promise.then(() => route.continue()));
  await page.goto("/about", { waitUntil: "commit" });
  await page.getByRole("banner").getByRole("searchbox", { name: "Search" }).fill("typed early");
  scriptsAllowed.resolve();
  await waitForHydration(page);
  const box = page.getByRole("banner").getByRole("combobox", { name: "Search" });
  const options = page.getByRole("option");
  await expect(box).toHaveValue("typed early");
  await box.clear();
  await box.blur();
  // The window is too short for all suggestions.
  await page.setViewportSize({ ...desktop, height: 360 });
  await page.keyboard.press("/");
  await expect(box).toBeFocused();
  await expect(box).toHaveAttribute("aria-expanded", "false");
  await box.pressSequentially("lighth");
  await expect(options.first()).toContainText(/lighthouse/i);
  await expect(box).toHaveAttribute("aria-expanded", "true");
  const { violations } = await createAxe(page).include("header").analyze();
  expect(violations.map(({ id }) => id)).toEqual([]);

  await page.keyboard.press("ArrowDown");
  const firstOptionId = await options.first().getAttribute("id");
  await expect(box).toHaveAttribute("aria-activedescendant", firstOptionId ?? "");
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("ArrowUp");
  await expect(options.last()).toHaveAttribute("aria-selected", "true");
  await expect(options.last()).toBeInViewport();
  await page.setViewportSize(desktop);
  await page.keyboard.press("Escape");
  await expect(options).toHaveCount(0);
  await expect(box).toHaveValue("lighth");

  await box.pressSequentially("o");
  await options.filter({ hasText: "A Red Iron Lighthouse" }).click();
  await expect(page).toHaveURL("/news/lighthouse");
  await expect(box).toHaveValue("");
  // The new page takes the focus, which closes the list of suggestions.
  await expect(page.getByRole("heading", { level: 1 })).toBeFocused();

  await page.keyboard.press("/");
  await box.fill("har");
  await expect(options.filter({ hasText: /harbor\b/i }).first()).toBeVisible();
  await expect(options.filter({ hasText: "Harborline" })).toHaveCount(0);
  await box.fill("lantern wa");
  await expect(options.first()).toContainText("Lantern Walk");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL("/events/lantern-walk");
  await expect(page.getByRole("heading", { level: 1 })).toBeFocused();

  await page.keyboard.press("/");
  await box.fill("lantern");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL("/search?q=lantern");
  await expect(options).toHaveCount(0);
});

test("text typed right after / is in the box on every kind of page, even before React has hydrated it", async ({
  page,
}) => {
  let entryAllowed = Promise.withResolvers<void>();
  await page.route(/\/assets\/entry\.client/, async (route) => {
    await entryAllowed.promise;
    await route.fallback();
  });
  for (const [size, paths] of [
    [phone, ["/news/lighthouse", "/events"]],
    [desktop, ["/blog"]],
  ] as const) {
    await page.setViewportSize(size);
    for (const path of paths) {
      entryAllowed = Promise.withResolvers();
      await page.goto(path, { waitUntil: "commit" });
      await page.waitForFunction(() => "__reactRouterRouteModules" in window);
      await page.keyboard.type("/crab");
      const box = page.getByRole("banner").locator("input[type=search]");
      await expect(box).toHaveValue("crab");
      entryAllowed.resolve();
      await waitForHydration(page);
      await page.keyboard.type("s");
      await expect(box).toHaveValue("crabs");
      await page.keyboard.press("Escape");
      await page.keyboard.press("Escape");
      await box.evaluate((input: HTMLInputElement) => input.blur());
      await page.keyboard.type("/oyster");
      await expect(box).toHaveValue("oyster");
    }
  }
});

test("the / key opens the search box on a phone without moving the page, and types a slash in a field", async ({
  page,
}) => {
  await page.setViewportSize(phone);
  await page.goto("/local");
  await waitForHydration(page);
  await page.evaluate(() => scrollTo({ top: 1200, behavior: "instant" }));
  const box = page.getByRole("banner").getByRole("combobox", { name: "Search" });
  await page.keyboard.press("/");
  await expect(box).toBeFocused();
  await page.keyboard.press("/");
  await expect(box).toHaveValue("/");
  expect(await page.evaluate(() => scrollY)).toBe(1200);
});
